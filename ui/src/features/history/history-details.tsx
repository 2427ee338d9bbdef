import { Code, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconReportSearch } from "@tabler/icons-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryBatch,
	type HistoryEntry,
	type Outcome,
	type RecordId,
	type SiteView,
	type Summary,
	useBackend,
} from "@/bridge";
import { AfterRun, Wire } from "@/components/after-run";
import { CopyButton, CopyField } from "@/components/copy-field";
import { Foldable } from "@/components/foldable";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { WithIcon } from "@/components/outcome";
import { Page } from "@/components/page";
import { RecoveryNotice } from "@/components/recovery-notice";
import { IconButton, LinkButton, Small } from "@/components/text";
import { formatDateTime } from "@/lib/format";
import { isAct, outcomeNow, useEntryName } from "@/lib/history-text";
import { useBring, useNavigation } from "@/lib/navigation";
import { operationOfEntry, useOperationUis } from "@/lib/operation-ui";
import { useBatch, useImportReport } from "@/lib/queries/history";
import { useBusySites } from "@/lib/runs";
import { summaryText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { whenShown } from "@/lib/when-shown";
import { BatchFacts, DetailsFrame, Facts, Origin } from "./facts";
import { completed, outcomeOfBatch } from "./history-lines";
import { OutcomeCheck, OutcomeResolution } from "./outcome-check";
import { PackageStatus, SavePackage, useSavePackage } from "./save-trail";

interface HistoryDetailsProps {
	entry: HistoryEntry;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	/** Whether the outcome is checked at once. */
	checked: boolean;
	/** Whether the details take the focus: only if a link opened the entry. Otherwise, the list keeps it. */
	takesFocus: boolean;
	onClose: () => void;
	onOpenReport: () => void;
}

export function HistoryDetails({ entry, site, checked, takesFocus, onClose, onOpenReport }: HistoryDetailsProps) {
	const { t } = useTranslation(["history", "common"]);
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useBusySites());
	const operation = useEntryName()(entry);
	const target = useTargetName()(entry) || t("allSites");
	return (
		<DetailsFrame
			label={t("details.title", { operation, site: target })}
			operation={operation}
			target={target}
			at={entry.startedAt}
			takesFocus={takesFocus}
			onClose={onClose}
		>
			<WithIcon icon={outcome}>{common(`outcome.${outcome}`)}</WithIcon>
			{entry.summary ? (
				<Text fw={600} mod="anywhere">
					{summaryText(common, entry.summary)}
				</Text>
			) : null}
			<RunParts summary={entry.summary} />
			<OutcomeResolution entry={entry} />
			<Recovery entry={entry} outcome={outcome} site={site} checked={checked} onClose={onClose} />
			<EntryActions entry={entry} site={site} onOpenReport={onOpenReport} />
			<Facts entry={entry} />
			{entry.note ? (
				<Stack gap={4}>
					<CopyField label={t("details.note")} value={entry.note} />
					{unnamedUploads(entry).map((upload) => (
						<Origin key={upload} entry={entry} parameter={{ name: "location", value: upload, isUpload: true }} />
					))}
				</Stack>
			) : null}
			<div>
				<Wire record={entry.id} />
				{entry.hasCommand ? <AsCommand record={entry.id} /> : null}
			</div>
		</DetailsFrame>
	);
}

/** Returns the IDs of uploads that the note mentions without a name. */
function unnamedUploads({ noteParts }: HistoryEntry): string[] {
	return noteParts.flatMap(({ text, upload }) => (upload !== null && text === "" ? [upload] : []));
}

/** Curl command of a history entry, with a variable instead of the token. */
function AsCommand({ record }: { record: RecordId }) {
	const { t } = useTranslation("history");
	const write = useCommand((backend) => backend.recordAsCommand(record));
	return (
		<Foldable title={t("command.curl")} onOpen={() => write.mutate()}>
			{write.isPending ? <LoadingRows rows={2} /> : null}
			<ProblemNotice problem={write.error} onRetry={() => write.mutate()} />
			{write.data ? (
				<Stack gap="xs" align="flex-start" role="status">
					<Code block w="100%" mah={220}>
						{write.data}
					</Code>
					<Small>{t("command.token")}</Small>
					<CopyButton value={write.data} label={t("command.copy")} />
				</Stack>
			) : null}
		</Foldable>
	);
}

/** Parts of a plan run or of a rehearsal. Those that were exported or imported link to their entry. */
function RunParts({ summary }: { summary: Summary | null }) {
	const { t } = useTranslation("history");
	const { go } = useNavigation();
	if ((summary?.kind !== "planRun" && summary?.kind !== "rehearsal") || summary.parts.length === 0) return null;
	return (
		<Stack gap={4}>
			<Title order={3} fz="sm" lh="sm">
				{t("details.parts")}
			</Title>
			{summary.parts.map(({ name, isAsExpected, record }) => (
				<WithIcon key={`${record} ${name}`} icon={isAsExpected ? "succeeded" : "failed"}>
					{record === null ? (
						<Text mod="anywhere">{name}</Text>
					) : (
						<LinkButton ta="start" mod="anywhere" onClick={() => go({ page: "history", record })}>
							{name}
						</LinkButton>
					)}
					<Text c="dimmed">{t(isAsExpected ? "details.partAsExpected" : "details.partNotAsExpected")}</Text>
				</WithIcon>
			))}
		</Stack>
	);
}

interface RecoveryProps {
	entry: HistoryEntry;
	outcome: Outcome;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	/** Whether the outcome is checked at once. */
	checked: boolean;
	onClose: () => void;
}

function Recovery({ entry, outcome, site, checked, onClose }: RecoveryProps) {
	const { t } = useTranslation("history");
	const OfOperation = operationOfEntry(useOperationUis(), entry.operation)?.Recovery;
	return (
		<>
			{/* A run of a plan and a rehearsal have no outcome to check; their parts do. */}
			{outcome === "unknown" && entry.operation !== "run_plan" && entry.operation !== "rehearse" ? (
				<RecoveryNotice title={t("details.recovery.check")} tone="unknown" text={t("details.unknown")}>
					<OutcomeCheck key={entry.id} entry={entry} atOnce={checked} onLeave={onClose} />
				</RecoveryNotice>
			) : null}
			{site && OfOperation ? (
				<Suspense>
					<OfOperation entry={entry} site={site} />
				</Suspense>
			) : null}
		</>
	);
}

interface EntryActionsProps {
	entry: HistoryEntry;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	onOpenReport: () => void;
}

function EntryActions({ entry, site, onOpenReport }: EntryActionsProps) {
	const { t } = useTranslation("history");
	const bring = useBring();
	const { go } = useNavigation();
	const { operation, parameters, startedAt: sentAt } = entry;
	const again =
		site && !isAct(operation)
			? {
					label: t("details.runAgain"),
					onAgain: () => bring({ site: site.id, server: entry.server }, operation, { parameters, sentAt }),
				}
			: null;
	return (
		<Stack gap="sm">
			{entry.hasReport ? (
				<IconButton label={t("details.openReport")} icon={IconReportSearch} onClick={onOpenReport} w="fit-content" />
			) : null}
			{entry.operation === "rehearse" && entry.endedAt !== null ? (
				<IconButton
					label={t("details.openReceipt")}
					icon={IconReportSearch}
					onClick={() => go({ page: "receipt", site: entry.site, record: entry.id })}
					w="fit-content"
				/>
			) : null}
			<AfterRun record={entry.id} again={again} wire={false} />
		</Stack>
	);
}

interface BatchDetailsProps {
	batch: HistoryBatch;
	/** Newest listed entry of the batch. */
	head: HistoryEntry;
	onClose: () => void;
}

/** What the entries of a batch have in common. Single entries are opened in the list. */
export function BatchDetails({ batch, head, onClose }: BatchDetailsProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const operation = useEntryName()(head);
	const target = useTargetName()(head) || t("allSites");
	const held = useBatch(batch.id);
	const save = useSavePackage();
	return (
		<DetailsFrame
			label={t("batch.title", { operation, site: target, count: batch.size })}
			operation={operation}
			target={target}
			at={head.startedAt}
			takesFocus={false}
			onClose={onClose}
		>
			<WithIcon icon={outcomeOfBatch(batch, head, useBusySites())}>
				{t("batch.completed", { done: completed(batch), total: batch.size })}
			</WithIcon>
			<Stack gap="sm">
				<SavePackage
					save={save}
					records={async () => (await backend.historyBatch(batch.id)).map(({ id }) => id).reverse()}
				/>
				<PackageStatus save={save} />
				<ProblemNotice problem={held.error} onRetry={() => void held.refetch()} />
				{held.isPending ? <LoadingRows rows={3} height={20} /> : null}
				{held.data ? <BatchFacts entries={held.data} /> : null}
			</Stack>
		</DetailsFrame>
	);
}

const ImportReportViewer = whenShown(
	async () => (await import("@/components/import-report/viewer")).ImportReportViewer,
);

interface HistoryReportProps {
	entry: HistoryEntry;
	onBack: () => void;
}

export function HistoryReport({ entry, onBack }: HistoryReportProps) {
	const { t } = useTranslation("history");
	const nameOf = useEntryName();
	const targetOf = useTargetName();
	const report = useImportReport(entry.id);
	return (
		<Page
			title={t("report.title")}
			description={t("report.description", {
				operation: nameOf(entry),
				site: targetOf(entry),
				at: formatDateTime(entry.startedAt),
			})}
			width="wide"
			actions={<IconButton label={t("report.back")} icon={IconArrowLeft} onClick={onBack} />}
		>
			{report.isPending ? <LoadingRows rows={6} /> : null}
			<ProblemNotice problem={report.error} onRetry={() => void report.refetch()} />
			{report.data ? (
				<ImportReportViewer
					target={{ site: entry.site, server: entry.server }}
					report={report.data}
					record={entry.id}
				/>
			) : null}
		</Page>
	);
}
