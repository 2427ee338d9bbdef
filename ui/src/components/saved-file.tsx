import { Box, Button, type ButtonProps, Group, Stack, Text } from "@mantine/core";
import { IconFolder, IconTableExport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Problem, SavedFile as SavedFileView, SaveResult } from "@/bridge";
import { formatSize } from "@/lib/format";
import { useCommand } from "@/lib/use-command";
import type { SavingHandle } from "@/lib/use-saving";
import { CopyField } from "./copy-field";
import { CommandButton, ProblemNotice } from "./notice";
import { LongFact } from "./outcome";
import { pageWidths } from "./page";

interface SavedFileProps {
	file: SavedFileView;
	/** Whether the verification of the saved file failed. */
	isFaulty?: boolean;
	children?: ReactNode;
}

/** Lines of a result: path, size, and checksum of a saved file. */
export function SavedFile({ file: { path, size, sha256 }, isFaulty = false, children }: SavedFileProps) {
	const { t } = useTranslation("run", { keyPrefix: "saving" });
	return (
		<>
			<LongFact name={t("path")}>
				<FilePath path={path} isHere size={size} isComplete={!isFaulty} />
				{children}
			</LongFact>
			<FileHash sha256={sha256} />
		</>
	);
}

interface FilePathProps {
	path: string;
	isUrl?: boolean;
	/** Whether the file is on this computer. */
	isHere: boolean;
	/** `null` if it is not known. */
	size: number | null;
	isComplete?: boolean;
}

/** Path and size of a file, in a line of a result. */
export function FilePath({ path, isUrl = false, isHere, size, isComplete = false }: FilePathProps) {
	const { t } = useTranslation("run", { keyPrefix: "saving" });
	return (
		<>
			<CopyField value={path} copyLabel={t(isUrl ? "copyUrl" : "copyPath")} isPath={!isUrl}>
				{isHere ? <ShowInFolder path={path} /> : null}
			</CopyField>
			{size === null ? null : <Text c="dimmed">{t(isComplete ? "size" : "sizeOnly", { size: formatSize(size) })}</Text>}
		</>
	);
}

/** Line of a result: checksum of a file. */
export function FileHash({ sha256 }: { sha256: string }) {
	const { t } = useTranslation("run", { keyPrefix: "saving" });
	return (
		<LongFact name={t("hash")}>
			<CopyField value={sha256} copyLabel={t("copyHash")} />
		</LongFact>
	);
}

interface UnsavedFileProps {
	file: SavingHandle;
	/** Whether the page already states that the file is not saved. */
	isSaid?: boolean;
}

/** Says that a file is not saved yet, with a button that saves it. */
export function UnsavedFile({ file, isSaid = false }: UnsavedFileProps) {
	const { t } = useTranslation("run");
	const { saving: now } = file;
	return (
		<>
			{now.kind === "failed" ? <Text>{t("saving.failed")}</Text> : isSaid ? null : <Text>{t("saving.dismissed")}</Text>}
			{now.kind === "failed" ? <ProblemNotice problem={now.problem} /> : null}
			<ProblemNotice problem={file.error} />
			<Group>
				<Button variant="filled" loading={file.pending} onClick={file.again}>
					{t(now.kind === "dismissed" ? "saving.now" : "saving.again")}
				</Button>
			</Group>
		</>
	);
}

export function ShowInFolder({ path }: { path: string }) {
	const { t } = useTranslation("run");
	const show = useCommand((backend) => backend.showInFolder(path));
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={show} label={t("showInFolder")} icon={IconFolder} />
			<ProblemNotice problem={show.error} />
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
