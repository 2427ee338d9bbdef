import { Button, Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type RunView, type SiteView, type UnfinishedUpload, type UploadSource, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { formatSize } from "@/lib/format";
import { useRuns } from "@/lib/runs";
import { useStepWords } from "@/lib/step-words";

/** In MiB. Ten is what most proxies let through. */
const parts = [1, 10, 50, 100];

interface UploadProps {
	site: SiteView;
	/** The file is on the server, under this identifier. */
	onUploaded: (item: string) => void;
}

/** A file of this computer, brought to the server first. A failed upload never touches an import. */
export function Upload({ site, onUploaded }: UploadProps) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const [part, setPart] = useState("10");
	const running = useRuns().find((run) => run.site === site.id && run.step.kind === "uploading");
	const unfinished = useQuery({
		queryKey: ["site", site.id, "unfinishedUploads"],
		queryFn: () => backend.listUnfinishedUploads(site.id),
	});
	const upload = useMutation({
		mutationFn: (source: UploadSource) => backend.uploadForImport(site.id, crypto.randomUUID(), source),
		onSuccess: (end) => {
			if (end.kind === "uploaded") onUploaded(end.item);
			void unfinished.refetch();
		},
	});
	const discard = useMutation({
		mutationFn: (item: string) => backend.discardUpload(site.id, item),
		onSuccess: () => void unfinished.refetch(),
	});
	if (running) return <Running run={running} />;
	const end = upload.data;
	const failed = end?.kind === "failed" ? end.problem : (upload.error ?? discard.error);
	return (
		<Stack gap="xs">
			<Group align="flex-end" gap="sm">
				<Button
					variant="default"
					leftSection={<IconUpload size={16} aria-hidden />}
					loading={upload.isPending}
					onClick={() => upload.mutate({ kind: "choose", partMebibytes: Number(part) })}
				>
					{t("upload.choose")}
				</Button>
				<Select
					w={130}
					label={t("upload.part")}
					title={t("upload.partHint")}
					allowDeselect={false}
					data={parts.map((count) => ({ value: String(count), label: t("upload.mebibytes", { count }) }))}
					value={part}
					onChange={(chosen) => chosen && setPart(chosen)}
				/>
			</Group>
			{end?.kind === "uploaded" ? (
				<Text size="sm" role="status">
					{t("upload.uploaded", { name: end.name, size: formatSize(end.size) })}
				</Text>
			) : null}
			{end?.kind === "stopped" ? (
				<Text size="sm" role="status">
					{t("upload.stopped")}
				</Text>
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
		<Group gap="xs">
			<Text size="sm" style={{ overflowWrap: "anywhere" }}>
				{t("upload.unfinished", { path, done: formatSize(upload.done), size: formatSize(upload.size) })}
			</Text>
			<Button size="xs" variant="default" aria-label={t("upload.goOnLabel", { path })} onClick={onGoOn}>
				{t("upload.goOn")}
			</Button>
			<Button size="xs" variant="subtle" aria-label={t("upload.discardLabel", { path })} onClick={onDiscard}>
				{t("upload.discard")}
			</Button>
		</Group>
	);
}
