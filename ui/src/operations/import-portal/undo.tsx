import { Box, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type PortalImportReport,
	type PortalProof,
	type PortalSafetyBackup,
	type RecordId,
	type SiteView,
	useBackend,
} from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { FurtherResponse } from "@/components/foldable";
import { MissingParts } from "@/components/missing-parts";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { FactList, LongFact, Outcome } from "@/components/outcome";
import { FolderField } from "@/components/path-field";
import { RecoveryNotice } from "@/components/recovery-notice";
import { KeptProof } from "@/components/site-back";
import { Time, WarningList } from "@/components/text";
import { Undo, UndoDialog, useUndoRun } from "@/components/undo";
import { folderOf, formatTime } from "@/lib/format";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useUndo } from "@/lib/queries/history";
import { useSession } from "@/lib/queries/program";
import { usePortalImportReport } from "@/lib/queries/site";
import type { RunOfItsOwn } from "@/lib/runs";
import { useCommand } from "@/lib/use-command";
import { CountTable, verdictOf } from "./comparison";

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
	const undo = useUndoRun<PortalImportReport, UndoForm>(undoing, site, record, (run, form) =>
		backend.undoPortalImport(site.id, run, form.record, form.confirmation, form.safetyBackup),
	);
	const { end } = undo;
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
				undo={undo}
				isDone={end.kind === "done"}
				isAgain={before !== null}
				unknown={t("unknown", { site: site.name })}
				notSent={t("notSent", { site: site.name })}
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

interface ProofProps {
	site: SiteView;
	/** History entry of the import; `null` if it could not be written. */
	record: RecordId | null;
	/** Counts right after the import; `null` if nothing was counted. */
	proof: PortalProof | null;
	/** Whether it is shown for an undo, next to that of the import. */
	ofUndo?: boolean;
}

/** Line of a result: contents of the portal after an import, compared with the export. The user can count again. */
export function Proof({ site, record, proof, ofUndo = false }: ProofProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "proof" });
	const { t: parts } = useTranslation("run", { keyPrefix: "inventory" });
	const count = useCommand(
		(backend, of: RecordId) => backend.checkPortalImport(site.id, of),
		(stale, of) => stale("checkPortalImport", of),
	);
	const session = useSession(site);
	// An error that requested a sign-in is hidden once the user has signed in.
	const isAnswered = count.error?.kind === "signIn" && session.data != null;
	const problem = isAnswered ? null : count.error;
	const shown = count.data ?? proof;
	const title = t(ofUndo ? "undone" : "title");
	return (
		<LongFact name={title}>
			{shown === null ? <Text>{t("notYet")}</Text> : null}
			{shown?.comparison ? (
				<>
					<Text fw={600}>{t(verdictOf(shown.comparison.rows))}</Text>
					<Text component="div">
						{t("counted")} <Time at={shown.comparison.countedAt} relative />
					</Text>
					<CountTable rows={shown.comparison.rows} label={title} portal={t("after")} />
				</>
			) : null}
			{shown !== null && !shown.comparison ? (
				<>
					<Text>{t("noComparison")}</Text>
					<Group gap="2px var(--mantine-spacing-lg)">
						{(["items", "users", "groups", "collaborations"] as const).map((part) =>
							shown.inventory[part] === null ? null : (
								<Text key={part}>{t("count", { part: parts(`part.${part}`), number: shown.inventory[part] })}</Text>
							),
						)}
					</Group>
				</>
			) : null}
			{shown === null ? null : <MissingParts missing={shown.inventory.missing} />}
			{record === null ? null : (
				<Button loading={count.isPending} onClick={() => count.mutate(record)}>
					{t(shown === null ? "check" : "checkAgain")}
				</Button>
			)}
			{problem ? (
				<Box w="100%">
					<ProblemNotice problem={problem} />
				</Box>
			) : null}
		</LongFact>
	);
}

/** Whether the portal differs from the export after an import, or could not be counted. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && verdictOf(proof.comparison.rows) !== "equal";
}

/** Returns the outcome of an import or undo, as the history records it. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}

/** Warnings of the portal, and text that the app does not interpret. */
export function Remarks({ report: { warned, messages, further } }: { report: PortalImportReport }) {
	const { t } = useTranslation("importPortal");
	return (
		<>
			{warned && messages.length === 0 ? <Text>{t("warnedWithoutDetails")}</Text> : null}
			<WarningList title={t("warningsTitle")} messages={messages} />
			<FurtherResponse lines={further} />
		</>
	);
}

/** Recovery of an import: comparison with the export, and undo if there is a safety backup. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("importPortal");
	const hasReport = entry.outcome === "succeeded" || entry.outcome === "warnings";
	const report = usePortalImportReport(hasReport ? entry.id : null);
	if (report.isLoading) return <LoadingRows rows={2} height={20} />;
	if (!hasReport && !entry.hasSafetyBackup) return null;
	return (
		<>
			{report.data?.back ? <KeptProof site={site} proof={report.data.back} /> : null}
			<RecoveryNotice title={t("recovery.title")} text={t("recovery.what")}>
				<FactList>
					{report.data ? <Proof site={site} record={entry.id} proof={report.data.proof} /> : null}
					{entry.hasSafetyBackup ? (
						<UndoPortalImport
							site={site}
							record={entry.id}
							{...(report.data?.safetyBackup ? { safetyBackup: report.data.safetyBackup } : {})}
						/>
					) : null}
				</FactList>
			</RecoveryNotice>
		</>
	);
}
