import { Button, Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type DroppedFile,
	newRun,
	type RunId,
	type RunView,
	type SiteView,
	type UnfinishedUpload,
	type UploadEnd,
	type UploadSource,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { StopButton } from "@/components/stop-dialog";
import { IconButton } from "@/components/text";
import { labelled } from "@/lib/drafts";
import { formatSize } from "@/lib/format";
import { useUnfinishedUploads } from "@/lib/queries/site";
import { type Upload as UploadOf, uploadKey, useLastUpload } from "@/lib/queries/uploads";
import { useRuns } from "@/lib/runs";
import { useStepText } from "@/lib/step-text";
import { serverOf } from "@/lib/target";
import { useCommand, useStale } from "@/lib/use-command";

/** Sizes of a part, in MiB. Most proxies accept 10. */
const parts = [1, 10, 50, 100];

/** Upload that the server has stored. */
export type Uploaded = Pick<Extract<UploadEnd, { kind: "uploaded" }>, "item" | "name" | "size">;

/** State of the file of this computer that an import uses. */
export interface LocalFile {
	/** `null` until the file is stored on the server. */
	uploaded: Uploaded | null;
	/** Dropped file that is not uploaded yet. `after`: the previous upload, whose result no longer matters. */
	dropped: { file: DroppedFile; after: RunId | null } | null;
	/** Last upload whose result was applied. */
	taken: RunId | null;
}

interface UploadProps {
	site: SiteView;
	file: LocalFile;
	onFile: (changed: Partial<LocalFile>) => void;
}

/** Uploads a file of this computer. A failed upload does not affect an import. */
export function Upload({ site, file: { uploaded, dropped, taken }, onFile }: UploadProps) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const [part, setPart] = useState("10");
	const running = useRuns().find(
		(run) => run.site === site.id && run.server === site.currentServer && run.step.kind === "uploading",
	);
	const unfinished = useUnfinishedUploads(serverOf(site));
	const { mutate } = useMutation({
		mutationKey: uploadKey(queries, serverOf(site)),
		mutationFn: ({ run, source }: UploadOf) => backend.uploadForImport(serverOf(site), newRun(run), source),
		onSuccess: () => {
			void stale("uploadForImport", serverOf(site));
		},
		// The result of a long upload stays until the user returns.
		gcTime: Number.POSITIVE_INFINITY,
	});
	const upload = (source: UploadSource) => {
		// A second upload is rejected, and its error would hide the result of the first.
		if (queries.isMutating({ mutationKey: uploadKey(queries, serverOf(site)) }) > 0) return;
		mutate({ run: crypto.randomUUID(), source });
	};
	const latest = useLastUpload(serverOf(site));
	// A file that was dropped after the latest upload takes its place, so a result of the upload that was shown before is
	// not shown again.
	const isOvertaken = latest !== null && dropped?.after === latest.run;
	const last = isOvertaken && latest.run === taken ? null : latest;
	const discard = useCommand(
		(backend, item: string) => backend.discardUpload(serverOf(site), item),
		(stale) => void stale("discardUpload", serverOf(site)),
	);
	const end = last?.end ?? null;
	const ended = end && last && !isOvertaken && last.run !== taken ? last.run : null;
	const take = useEffectEvent((run: RunId) => onFile({ taken: run, ...(end ? fileAfter(end) : {}) }));
	useEffect(() => {
		if (ended) take(ended);
	}, [ended]);
	const note = (
		<Text c="dimmed" mod="anywhere">
			{dropped ? t("upload.droppedNote", { path: dropped.file.path }) : t("upload.hint")}
		</Text>
	);
	if (running) {
		return (
			<Stack gap="xs">
				{dropped ? note : null}
				<Running run={running} />
			</Stack>
		);
	}
	const isPending = latest?.isPending ?? false;
	const onServer = uploaded ?? (end?.kind === "uploaded" ? end : null);
	const failed = end?.kind === "failed" ? end.problem : (last?.error ?? discard.error);
	const partMebibytes = Number(part);
	const isTooLong = end?.kind === "failed" && end.tooLong;
	const smaller = isTooLong ? parts.findLast((one) => one < partMebibytes) : undefined;
	const again = (size: number) => {
		setPart(String(size));
		upload(
			dropped
				? { kind: "dropped", path: dropped.file.path, partMebibytes: size }
				: { kind: "choose", partMebibytes: size },
		);
	};
	return (
		<Stack gap="xs">
			{onServer ? (
				<Text role="status" fw={600} mod="anywhere">
					{t("upload.uploaded", { name: onServer.name, size: formatSize(onServer.size) })}
				</Text>
			) : null}
			{dropped || !uploaded ? note : null}
			<Group gap="xs">
				{dropped ? (
					<IconButton
						label={t("upload.dropped", { name: dropped.file.name })}
						variant="filled"
						icon={IconUpload}
						loading={isPending}
						onClick={() => upload({ kind: "dropped", path: dropped.file.path, partMebibytes })}
					/>
				) : null}
				<Button
					leftSection={dropped ? null : <IconUpload size={16} aria-hidden />}
					loading={isPending}
					onClick={() => upload({ kind: "choose", partMebibytes })}
				>
					{t(dropped || uploaded ? "upload.droppedOther" : "upload.choose")}
				</Button>
			</Group>
			{end?.kind === "stopped" ? <Text role="status">{t("upload.stopped")}</Text> : null}
			{end?.kind === "unknown" ? (
				<Outcome outcome="unknown" title={t("upload.unknown")}>
					<Text>{t(end.problem ? "upload.unknownDo" : "upload.unknownStopped")}</Text>
					{end.problem ? (
						<Foldable title={t("upload.whyUnknown")}>
							<ProblemNotice problem={end.problem} outcome="unknown" />
						</Foldable>
					) : null}
				</Outcome>
			) : null}
			{failed ? (
				<ProblemNotice
					problem={failed}
					// The practice site has a setting of its own instead of system properties.
					advice={
						failed.kind === "extensionNotAllowed" && site.environment === "practice" ? t("upload.practice") : undefined
					}
				/>
			) : null}
			{smaller ? (
				<Stack gap="xs" align="flex-start">
					<Text>{t("upload.tooLong")}</Text>
					<Button loading={isPending} onClick={() => again(smaller)}>
						{t("upload.smaller", { count: smaller })}
					</Button>
				</Stack>
			) : null}
			{discard.data ? <Text role="status">{t("upload.complete", { name: discard.data })}</Text> : null}
			{(unfinished.data ?? []).map((one) => (
				<Begun
					key={one.item}
					upload={one}
					disabled={isPending || discard.isPending}
					onGoOn={() => upload({ kind: "goOn", item: one.item })}
					onDiscard={() => discard.mutate(one.item)}
				/>
			))}
			<Foldable title={t("upload.advanced")}>
				<Select
					maw={320}
					{...labelled(t, "upload.part")}
					data={parts.map((count) => ({ value: String(count), label: t("upload.about", { count }) }))}
					value={part}
					onChange={(chosen) => chosen && setPart(chosen)}
				/>
			</Foldable>
		</Stack>
	);
}

/** Returns how the end of an upload changes the file of the form. A closed dialog changes nothing. */
function fileAfter(end: UploadEnd): Partial<LocalFile> {
	if (end.kind === "dismissed") return {};
	// If another file could not be uploaded, the previous one is not used either.
	if (end.kind !== "uploaded") return { uploaded: null };
	const { item, name, size } = end;
	return { uploaded: { item, name, size }, dropped: null };
}

function Running({ run }: { run: RunView }) {
	const { t } = useTranslation("importServer");
	const words = useStepText(run.step);
	const share = run.step.kind === "uploading" && run.step.total > 0 ? run.step.done / run.step.total : 0;
	return (
		<Stack gap="xs">
			<Text role="status">{words}</Text>
			<Progress value={share * 100} aria-label={t("upload.progress")} />
			<Group>
				<StopButton run={run} />
			</Group>
		</Stack>
	);
}

interface BegunProps {
	upload: UnfinishedUpload;
	disabled: boolean;
	onGoOn: () => void;
	onDiscard: () => void;
}

function Begun({ upload, disabled, onGoOn, onDiscard }: BegunProps) {
	const { t } = useTranslation("importServer");
	const { path } = upload;
	return (
		<Stack gap="xs">
			<Text mod="anywhere">
				{t("upload.unfinished", { path, done: formatSize(upload.done), size: formatSize(upload.size) })}
			</Text>
			<Group gap="xs">
				<Button aria-label={t("upload.goOnLabel", { path })} disabled={disabled} onClick={onGoOn}>
					{t("upload.goOn")}
				</Button>
				<Button
					variant="subtle"
					aria-label={t("upload.discardLabel", { path })}
					disabled={disabled}
					onClick={onDiscard}
				>
					{t("upload.discard")}
				</Button>
			</Group>
		</Stack>
	);
}
