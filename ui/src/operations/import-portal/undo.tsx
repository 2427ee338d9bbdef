import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type PortalImportReport, type PortalSafetyBackup, type RecordId, type SiteView, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { FactList, LongFact } from "@/components/fact-list";
import { FurtherResponse } from "@/components/foldable";
import { WarningList } from "@/components/long-text";
import { Outcome } from "@/components/outcome";
import { FolderField } from "@/components/path-field";
import { Undo, UndoDialog } from "@/components/undo";
import { folderOf } from "@/lib/file-name";
import { formatTime } from "@/lib/format";
import { useUndo } from "@/lib/queries/history";
import type { RunOfItsOwn } from "@/lib/run-store";
import { useOperation } from "@/lib/use-operation";
import { outcomeOf, Proof, Remarks } from "./proof";

interface UndoForm {
	record: RecordId;
	confirmation: string;
	safetyBackup: string | null;
}

const undoing: RunOfItsOwn = { operation: "import_portal", act: null, name: "undo" };

interface UndoPortalImportProps {
	site: SiteView;
	/** History entry of the import, which contains the path of the safety backup. */
	record: RecordId;
	/** Safety backup, if the page has read it. */
	safetyBackup?: PortalSafetyBackup;
}

/** Line of a result: the safety backup of an import, with a button that undoes the import after a confirmation. */
export function UndoPortalImport({ site, record, safetyBackup }: UndoPortalImportProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "undo" });
	const { t: shared } = useTranslation("run", { keyPrefix: "undoImport" });
	const backend = useBackend();
	const before = useUndo(site.id, "import_portal", record);
	const undo = useOperation<PortalImportReport, UndoForm>(undoing, site, (run, form) =>
		backend.undoPortalImport(site.id, run, form.record, form.confirmation, form.safetyBackup),
	);
	const { state } = undo;
	const isOfThis = state.kind !== "idle" && state.form?.record === record;
	const end: typeof state = isOfThis ? state : { kind: "idle" };
	return (
		<LongFact name={t("title")}>
			{safetyBackup ? (
				<>
					<Text>{t("written", { at: formatTime(safetyBackup.writtenAt) })}</Text>
					<CopyField value={safetyBackup.location} copyLabel={t("copy")} isPath />
					<WarningList title={shared("backupWarnings")} messages={safetyBackup.warnings} />
					<FurtherResponse title={shared("backupFurther")} lines={safetyBackup.further} />
				</>
			) : null}
			{before && end.kind !== "done" ? (
				<Text>{t("before", { at: formatTime(before.endedAt ?? before.startedAt) })}</Text>
			) : null}
			{end.kind === "done" ? (
				<>
					<Outcome outcome={outcomeOf(end.report)} title={t("undone", { site: site.name })}>
						<Remarks report={end.report} />
					</Outcome>
					<FactList>
						<Proof site={site} record={end.record} proof={end.report.proof} ofUndo />
					</FactList>
				</>
			) : null}
			<Undo
				site={site}
				end={end}
				isDone={end.kind === "done"}
				running={undo.running}
				isAgain={before !== null}
				unknown={t("unknown", { site: site.name })}
				notSent={t("notSent", { site: site.name })}
				onHide={undo.reset}
				question={(close) => (
					<Question
						site={site}
						record={record}
						backedUpTo={folderOf(safetyBackup?.location ?? "")}
						onClose={close}
						onConfirm={undo.start}
					/>
				)}
			/>
		</LongFact>
	);
}

interface QuestionProps {
	site: SiteView;
	record: RecordId;
	/** Folder of the safety backup of the import; empty if unknown. */
	backedUpTo: string;
	onClose: () => void;
	onConfirm: (form: UndoForm, reason: string) => void;
}

/** Confirmation of the undo. Another safety backup requires a folder on the portal. */
function Question({ site, record, backedUpTo, onClose, onConfirm }: QuestionProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "undo" });
	const [folder, setFolder] = useState(backedUpTo);
	return (
		<UndoDialog
			site={site}
			server={null}
			record={record}
			title={t("ask", { site: site.name })}
			what={t("what", { site: site.name })}
			secure={t("secure")}
			secureHint={t("secureHint")}
			place={<FolderField site={site} label={t("folder")} value={folder} onChange={setFolder} />}
			hasPlace={folder.trim() !== ""}
			onClose={onClose}
			onConfirm={(confirmation, isSecured, reason) =>
				onConfirm({ record, confirmation, safetyBackup: isSecured ? folder : null }, reason)
			}
		/>
	);
}
