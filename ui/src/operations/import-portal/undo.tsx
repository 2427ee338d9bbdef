import { Button, Checkbox, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type PortalImportReport, type PortalSafetyBackup, type RecordId, type SiteView, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { FolderField } from "@/components/folder-field";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { ReasonField } from "@/components/reason-field";
import { TypedConfirmation } from "@/components/typed-confirmation";
import { UndoneToo } from "@/components/undone-too";
import { confirms, typedForImport } from "@/lib/confirmation";
import { formatTime } from "@/lib/format";
import { useUndo } from "@/lib/queries/history";
import type { RunOfItsOwn } from "@/lib/run-store";
import { unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useOperation } from "@/lib/use-operation";
import { useReadOnly } from "@/lib/use-read-only";
import { Proof } from "./proof";

interface UndoForm {
	record: RecordId;
	confirmation: string;
	safetyBackup: string | null;
}

const undoing: RunOfItsOwn = { operation: "import_portal", act: null, name: "undo" };

interface UndoPortalImportProps {
	site: SiteView;
	/** The import. Its record has the path of the safety backup. */
	record: RecordId;
	/** The safety backup, where the page has it. */
	safetyBackup?: PortalSafetyBackup;
}

/** Undoes an import with the export that was written before it, once the name of the site is typed. */
export function UndoPortalImport({ site, record, safetyBackup }: UndoPortalImportProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "undo" });
	const common = useTranslation("common").t;
	const backend = useBackend();
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	const before = useUndo(site.id, "import_portal", record);
	const undo = useOperation<PortalImportReport, UndoForm>(undoing, site, (run, form) =>
		backend.undoPortalImport(site.id, run, form.record, form.confirmation, form.safetyBackup),
	);
	const { state } = undo;
	const isOfThis = state.kind !== "idle" && state.form?.record === record;
	const end = isOfThis ? state : null;
	return (
		<Stack gap="xs" align="flex-start" component="section" aria-label={t("title")}>
			<Title order={2} size="h5">
				{t("title")}
			</Title>
			{safetyBackup ? (
				<>
					<Text>{t("written", { at: formatTime(safetyBackup.writtenAt) })}</Text>
					<CopyField label={t("file")} value={safetyBackup.location} copyLabel={t("copy")} isPath />
				</>
			) : null}
			{before && end?.kind !== "done" ? (
				<Text>{t("before", { at: formatTime(before.endedAt ?? before.startedAt) })}</Text>
			) : null}
			{end?.kind === "done" ? (
				<>
					<Outcome outcome={end.report.warned ? "warnings" : "succeeded"} title={t("undone", { site: site.name })} />
					<Proof site={site} record={end.record} proof={end.report.proof} ofUndo />
				</>
			) : (
				<Button
					leftSection={<IconArrowBackUp size={16} aria-hidden />}
					loading={undo.running}
					disabled={readOnly}
					onClick={open}
				>
					{t(before ? "again" : "undo")}
				</Button>
			)}
			{readOnly && end?.kind !== "done" ? (
				<Text>
					{unavailableText(common, { kind: "readOnly" })} {unavailableAdvice(common, { kind: "readOnly" })}
				</Text>
			) : null}
			{end?.kind === "unknown" ? <Outcome outcome="unknown" title={t("unknown", { site: site.name })} /> : null}
			{end?.kind === "notSent" ? <Outcome outcome="notSent" title={t("notSent", { site: site.name })} /> : null}
			{(end?.kind === "done" || end?.kind === "unknown") && end.record === null ? <NotRecorded /> : null}
			{end?.kind === "problem" ? <ProblemNotice problem={end.problem} effect={end.effect} /> : null}
			{asking && !readOnly ? (
				<UndoDialog
					site={site}
					record={record}
					backedUpTo={folderOf(safetyBackup?.location ?? "")}
					onClose={close}
					onConfirm={(form, reason) => {
						close();
						undo.start(form, reason);
					}}
				/>
			) : null}
		</Stack>
	);
}

interface UndoDialogProps {
	site: SiteView;
	record: RecordId;
	/** Folder of the safety backup of the import; empty if it is not known. */
	backedUpTo: string;
	onClose: () => void;
	onConfirm: (form: UndoForm, reason: string) => void;
}

/** It is an import again: what changed since goes too, unless it is exported before. */
function UndoDialog({ site, record, backedUpTo, onClose, onConfirm }: UndoDialogProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "undo" });
	const [confirmation, setConfirmation] = useState("");
	const [isSecured, setIsSecured] = useState(true);
	const [folder, setFolder] = useState(backedUpTo);
	const [reason, setReason] = useState("");
	const toType = typedForImport(site);
	return (
		<Dialog
			opened
			onClose={onClose}
			size="lg"
			title={t("ask", { site: site.name })}
			site={site}
			confirm={t("confirm")}
			irreversible
			ready={confirms(confirmation, toType) && (!isSecured || folder.trim() !== "")}
			onConfirm={() => onConfirm({ record, confirmation, safetyBackup: isSecured ? folder : null }, reason)}
		>
			<Text>{t("what", { site: site.name })}</Text>
			<UndoneToo record={record} />
			<Checkbox
				label={t("secure")}
				description={t("secureHint")}
				checked={isSecured}
				onChange={(event) => setIsSecured(event.currentTarget.checked)}
			/>
			{isSecured ? (
				<FolderField
					site={site}
					onFolder={setFolder}
					label={t("folder")}
					value={folder}
					onChange={(event) => setFolder(event.currentTarget.value)}
				/>
			) : null}
			<ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
			{toType ? (
				<TypedConfirmation
					label={t("type", { text: toType })}
					name={toType}
					value={confirmation}
					onChange={(event) => setConfirmation(event.currentTarget.value)}
				/>
			) : null}
		</Dialog>
	);
}

/** The folder of a path of the portal, on any system. */
function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}
