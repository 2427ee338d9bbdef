import { Button, Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { type MutationState, useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type Problem,
	type RunView,
	type SiteView,
	type UnfinishedUpload,
	type UploadEnd,
	type UploadSource,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { useDroppedFile } from "@/lib/dropped-file";
import { formatSize } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
import { useRuns } from "@/lib/runs";
import { useStepWords } from "@/lib/step-words";

/** In MiB. Ten is what most proxies let through. */
const parts = [1, 10, 50, 100];

/** A file of this computer that the server stores now. */
export type Uploaded = Pick<Extract<UploadEnd, { kind: "uploaded" }>, "item" | "name" | "size">;

type UploadState = MutationState<UploadEnd, Problem, UploadSource>;

interface UploadProps {
	site: SiteView;
	uploaded: Uploaded | null;
	/** `null` once another file was chosen that did not arrive: the one before is not what is meant now. */
	onUploaded: (file: Uploaded | null) => void;
}

/** A file of this computer, brought to the server first. A failed upload never touches an import. */
export function Upload({ site, uploaded, onUploaded }: UploadProps) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const queries = useQueryClient();
	const [part, setPart] = useState("10");
	const { file: dropped, forget } = useDroppedFile("siteFile");
	const running = useRuns().find((run) => run.site === site.id && run.step.kind === "uploading");
	const unfinished = useQuery({
		queryKey: ["site", site.id, "unfinishedUploads"],
		queryFn: () => backend.listUnfinishedUploads(site.id),
	});
	const mutationKey = ["site", site.id, "upload"];
	const upload = useMutation({
		mutationKey,
		mutationFn: (source: UploadSource) => backend.uploadForImport(site.id, crypto.randomUUID(), source),
		onSuccess: () => {
			void unfinished.refetch();
			void queries.invalidateQueries({ queryKey: queryKeys.uploads(site.id) });
		},
		// What a long upload came to waits for the person to come back.
		gcTime: Number.POSITIVE_INFINITY,
	});
	// The last one of this site, also when the page was left and entered again since it began.
	const last = useMutationState({ filters: { mutationKey }, select: ({ state }) => state as UploadState }).at(-1);
	const discard = useMutation({
		mutationFn: (item: string) => backend.discardUpload(site.id, item),
		onSuccess: () => void unfinished.refetch(),
	});
	const end = last?.data;
	const take = useEffectEvent(({ item, name, size }: Uploaded) => {
		onUploaded({ item, name, size });
		forget();
	});
	const drop = useEffectEvent(() => onUploaded(null));
	useEffect(() => {
		if (end?.kind === "uploaded") take(end);
		else if (end && end.kind !== "dismissed") drop();
	}, [end]);
	if (running) return <Running run={running} />;
	const isPending = last?.status === "pending";
	const failed = end?.kind === "failed" ? end.problem : (last?.error ?? discard.error);
	const partMebibytes = Number(part);
	return (
		<Stack gap="xs">
			{uploaded ? (
				<Text size="sm" role="status" fw={500} style={{ overflowWrap: "anywhere" }}>
					{t("upload.uploaded", { name: uploaded.name, size: formatSize(uploaded.size) })}
				</Text>
			) : null}
			{dropped || !uploaded ? (
				<Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
					{dropped ? t("upload.droppedNote", { path: dropped.path }) : t("upload.hint")}
				</Text>
			) : null}
			<Group gap="xs">
				{dropped ? (
					<Button
						leftSection={<IconUpload size={16} aria-hidden />}
						loading={isPending}
						onClick={() => upload.mutate({ kind: "dropped", path: dropped.path, partMebibytes })}
					>
						{t("upload.dropped", { name: dropped.name })}
					</Button>
				) : null}
				<Button
					variant="default"
					leftSection={dropped ? null : <IconUpload size={16} aria-hidden />}
					loading={isPending}
					onClick={() => upload.mutate({ kind: "choose", partMebibytes })}
				>
					{t(dropped || uploaded ? "upload.droppedOther" : "upload.choose")}
				</Button>
			</Group>
			{end?.kind === "stopped" ? (
				<Text size="sm" role="status">
					{t("upload.stopped")}
				</Text>
			) : null}
			{end?.kind === "unknown" ? (
				<Outcome outcome="unknown" title={t("upload.unknown")}>
					<Text size="sm">{t(end.problem ? "upload.unknownDo" : "upload.unknownStopped")}</Text>
					{end.problem ? (
						<Foldable title={t("upload.whyUnknown")}>
							<ProblemNotice problem={end.problem} />
						</Foldable>
					) : null}
				</Outcome>
			) : null}
			{failed ? <ProblemNotice problem={failed} /> : null}
			{(unfinished.data ?? []).map((one) => (
				<Begun
					key={one.item}
					upload={one}
					onGoOn={() => upload.mutate({ kind: "goOn", item: one.item })}
					onDiscard={() => discard.mutate(one.item)}
				/>
			))}
			<Foldable title={t("upload.advanced")}>
				<Select
					maw={320}
					label={t("upload.part")}
					description={t("upload.partHint")}
					allowDeselect={false}
					data={parts.map((count) => ({ value: String(count), label: t("upload.about", { count }) }))}
					value={part}
					onChange={(chosen) => chosen && setPart(chosen)}
				/>
			</Foldable>
		</Stack>
	);
}

function Running({ run }: { run: RunView }) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const words = useStepWords(run.step);
	const share = run.step.kind === "uploading" && run.step.total > 0 ? run.step.done / run.step.total : 0;
	return (
		<Stack gap="xs">
			<Text size="sm" role="status">
				{words}
			</Text>
			<Progress value={share * 100} aria-label={t("upload.progress")} />
			<Group>
				<Button size="xs" variant="default" onClick={() => void backend.stopRun(run.id).catch(() => {})}>
					{t("upload.stop")}
				</Button>
			</Group>
		</Stack>
	);
}

interface BegunProps {
	upload: UnfinishedUpload;
	onGoOn: () => void;
	onDiscard: () => void;
}

function Begun({ upload, onGoOn, onDiscard }: BegunProps) {
	const { t } = useTranslation("importServer");
	const { path } = upload;
	return (
		<Stack gap={4}>
			<Text size="sm" style={{ overflowWrap: "anywhere" }}>
				{t("upload.unfinished", { path, done: formatSize(upload.done), size: formatSize(upload.size) })}
			</Text>
			<Group gap="xs">
				<Button size="xs" variant="default" aria-label={t("upload.goOnLabel", { path })} onClick={onGoOn}>
					{t("upload.goOn")}
				</Button>
				<Button size="xs" variant="subtle" aria-label={t("upload.discardLabel", { path })} onClick={onDiscard}>
					{t("upload.discard")}
				</Button>
			</Group>
		</Stack>
	);
}
