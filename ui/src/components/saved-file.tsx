import { Box, Button, type ButtonProps, Group, Stack, Text } from "@mantine/core";
import { IconFolder, IconTableExport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Problem, SaveResult } from "@/bridge";
import { formatSize } from "@/lib/format";
import { useFileFacts } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import type { SavingHandle } from "@/lib/use-saving";
import { CopyField } from "./copy-field";
import { CommandButton, ProblemNotice } from "./notice";
import { pageWidths } from "./page";

interface SavedFileProps {
	file: SavingHandle;
	/** Whether the page already states that the file is not saved. */
	isSaid?: boolean;
	/** Whether the verification of the saved file failed. */
	isFaulty?: boolean;
}

/** Path of a saved file, or a notice that it is not saved yet and how to save it. */
export function SavedFile({ file, isSaid = false, isFaulty = false }: SavedFileProps) {
	const { t } = useTranslation("run");
	const { saving: now } = file;
	if (now.kind === "saved") {
		return (
			<Stack gap="xs" role="status">
				<CopyField label={t("saving.path")} value={now.file.path} copyLabel={t("saving.copyPath")} isPath>
					<ShowInFolder path={now.file.path} />
				</CopyField>
				<Text c="dimmed">{t(isFaulty ? "saving.sizeOnly" : "saving.size", { size: formatSize(now.file.size) })}</Text>
				<CopyField label={t("saving.hash")} value={now.file.sha256} copyLabel={t("saving.copyHash")} />
			</Stack>
		);
	}
	return (
		<Stack gap="xs">
			{now.kind === "failed" ? <Text>{t("saving.failed")}</Text> : isSaid ? null : <Text>{t("saving.dismissed")}</Text>}
			{now.kind === "failed" ? <ProblemNotice problem={now.problem} /> : null}
			{file.error ? <ProblemNotice problem={file.error} /> : null}
			<Group>
				<Button variant="filled" loading={file.pending} onClick={file.again}>
					{t(now.kind === "dismissed" ? "saving.now" : "saving.again")}
				</Button>
			</Group>
		</Stack>
	);
}

export function ShowInFolder({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const show = useCommand((backend) => backend.showInFolder(path));
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={show} label={t("showInFolder")} icon={IconFolder} />
			{show.error ? <ProblemNotice problem={show.error} /> : null}
		</Stack>
	);
}

/**
 * Folder, size, and checksum of an export that a site on this computer wrote. Size and checksum are omitted if the file
 * cannot be read.
 */
export function FileFacts({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const facts = useFileFacts(path);
	return (
		<Stack gap="xs">
			<ShowInFolder path={path} />
			{facts.data ? (
				<>
					<Text c="dimmed">{t("saving.sizeOnly", { size: formatSize(facts.data.size) })}</Text>
					<CopyField label={t("saving.hash")} value={facts.data.sha256} copyLabel={t("saving.copyHash")} />
				</>
			) : null}
		</Stack>
	);
}

interface SaveStatusProps {
	save: { data: SaveResult | undefined; error: Problem | null };
	/** Label of the saved file. */
	label: string;
	/** Text shown if the user closed the dialog. */
	dismissed: string;
}

/** Result of saving a file in the system's file dialog. */
export function SaveStatus({ save, label, dismissed }: SaveStatusProps) {
	const { t } = useTranslation("run");
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	if (problem) return <ProblemNotice problem={problem} />;
	if (save.data?.kind === "dismissed") {
		return <Text role="status">{dismissed}</Text>;
	}
	if (save.data?.kind !== "saved") return null;
	const { path } = save.data.file;
	return (
		<Box maw={pageWidths.form} role="status">
			<CopyField label={label} value={path} copyLabel={t("saving.copyPath")} isPath>
				<ShowInFolder path={path} />
			</CopyField>
		</Box>
	);
}

interface SaveTableProps extends Pick<ButtonProps, "variant" | "disabled"> {
	label: string;
	save: () => Promise<SaveResult>;
}

/** Button that saves a table in the system's file dialog, with the result. */
export function SaveTable({ label, save, variant = "default", disabled = false }: SaveTableProps) {
	const { t } = useTranslation("run");
	const saving = useMutation({ mutationFn: save });
	return (
		<Stack gap="xs" align="flex-start" miw={0}>
			<CommandButton command={saving} label={label} variant={variant} disabled={disabled} icon={IconTableExport} />
			<SaveStatus save={saving} label={t("saving.path")} dismissed={t("saving.tableDismissed")} />
		</Stack>
	);
}
