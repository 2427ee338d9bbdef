import { Box, Checkbox, Divider, Group, Stack, Text, Title } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ImportReport, ImportServerForm, SafetyBackup as SafetyBackupView, SiteView } from "@/bridge";
import { ChangesByImport } from "@/components/changes-since";
import { Foldable, FurtherResponse } from "@/components/foldable";
import { ImportFacts } from "@/components/import-parts";
import { hasMessages } from "@/components/import-report/lines";
import { ReportView } from "@/components/import-report/report-view";
import { FailedNames, outcomeOf, Reactivated, useCounts } from "@/components/import-report/verdict";
import { Notice, ProblemNotice } from "@/components/notice";
import type { Done } from "@/components/operation-screen";
import { Fact, Outcome } from "@/components/outcome";
import { ProofList } from "@/components/proof-lines";
import { ShowInFolder } from "@/components/saved-file";
import { BackAfterImport } from "@/components/site-back";
import { LinkButton, WarningList } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { formatDuration, formatSize, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useChecklist } from "@/lib/queries/changes";
import { useUndo } from "@/lib/queries/history";
import { useSiteOverview } from "@/lib/queries/program";
import { useLogComparison, useSiteProof, useUploads } from "@/lib/queries/site";
import { areActiveAgain } from "@/lib/service-state";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { Proof, useLaterChecks } from "./proof";
import { UndoImport, UndoneSince } from "./undo-import";

/** Checklist item that is not a message of the report. */
const webAdaptors = "webAdaptors";

export function Report({ site, done }: { site: SiteView; done: Done<ImportReport, ImportServerForm> }) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const { report, record } = done;
	const { errors, failedServices, warnings } = report.counts;
	const about = { site: target, took: formatDuration(done.took) };
	const { status, isFailed: failed = false } = report;
	// The count in the title is not repeated.
	const said = failed ? null : (["errors", "failedServices", "warnings"] as const).find((of) => report.counts[of] > 0);
	const counts = useCounts(said ? { ...report.counts, [said]: 0 } : report.counts);
	const isEmpty = !hasMessages(report);
	const title = () => {
		if (failed) return t("notSuccess", { ...about, status });
		if (errors > 0) return t("errored", { ...about, count: errors });
		if (failedServices > 0) return t("failed", { ...about, count: failedServices });
		if (warnings > 0) return t("warned", { ...about, count: warnings });
		const areActive = report.reactivated ? areActiveAgain(report.reactivated) : true;
		if (areActive === false) return t("webhooksInactive", about);
		if (areActive === null) return t("webhooksUnknown", about);
		return t(isEmpty ? "noReport" : "clean", about);
	};
	// The name of an upload is more useful than its ID.
	const { location } = done.form;
	const upload = useUploads(serverOf(site)).data?.find(({ id }) => id === location);
	// Same name as in the list of uploads.
	const file = upload?.here?.name ?? upload?.name ?? location;
	const byHand = useChecklist(record);
	const undone = useUndo(site.id, "import_server", record);
	// The check of the whole site reads the services, so they are not checked a second time.
	const isProven = useSiteProof(site.id).data?.import === record;
	const later = useLaterChecks(site, record, undone ? null : report.proof, isProven);
	const outcome = outcomeOf(report, later.checks.at(-1));
	const isTable = report.proof?.check != null;
	const facts = (
		<ImportFacts done={done} file={file}>
			{isEmpty || counts ? <Fact name={t("fact.messages")}>{isEmpty ? t("noReportDo") : counts}</Fact> : null}
		</ImportFacts>
	);
	const remarks = (
		<>
			{failed ? <Text>{t("mightBePartly")}</Text> : null}
			{report.importedInstead ? <Text>{t("importedInstead")}</Text> : null}
			{isTable ? null : <FailedNames report={report} />}
			{isEmpty ? null : <Text c="dimmed">{t(record === null ? "notKept" : "kept")}</Text>}
		</>
	);
	const toDo = failed ? null : (
		<ProofList>
			<Fact name={t("fact.toDo")}>
				<Checkbox
					label={t("fact.webAdaptors", { server: target })}
					checked={byHand.done.has(webAdaptors)}
					onChange={(event) => byHand.set(webAdaptors, event.currentTarget.checked)}
				/>
			</Fact>
		</ProofList>
	);
	const backup =
		report.safetyBackup && record ? (
			<SafetyBackup site={site} record={record} safetyBackup={report.safetyBackup} undone={undone !== null} />
		) : null;
	return (
		// All parts have the width of the report.
		<Stack>
			{undone ? (
				<UndoneSince undone={undone} />
			) : (
				<BackAfterImport site={site} record={record} facts={facts} outcome={{ outcome, title: title() }}>
					{remarks}
					{report.proof ? <Proof site={site} proof={report.proof} later={later} /> : null}
					{report.reactivated ? <Reactivated webhooks={report.reactivated} /> : null}
					{toDo}
					<ProblemNotice problem={byHand.problem} />
					{backup}
				</BackAfterImport>
			)}
			<ChangesByImport site={site} record={record} />
			<StillDeactivated site={site} />
			{undone ? (
				<>
					{backup}
					<Foldable title={t("beforeUndone")}>
						<Stack>
							<Outcome outcome={outcome} title={title()}>
								<ProofList>{facts}</ProofList>
								{remarks}
							</Outcome>
							<ReportView target={serverOf(site)} report={report} record={record} />
						</Stack>
					</Foldable>
				</>
			) : (
				<ReportView target={serverOf(site)} report={report} record={record} />
			)}
		</Stack>
	);
}

interface SafetyBackupProps {
	site: SiteView;
	record: string;
	safetyBackup: SafetyBackupView;
	/** Whether the safety backup was imported again. */
	undone: boolean;
}

/** Safety backup of an import, with its undo. */
function SafetyBackup({ site, record, safetyBackup, undone }: SafetyBackupProps) {
	const { t } = useTranslation(["importServer", "run"]);
	const { t: shared } = useTranslation("run", { keyPrefix: "undoImport" });
	const target = useTargetNameOf("import_server", site);
	const title = t(undone ? "backupNotice.undone" : "backupNotice.title");
	return (
		<Box component="section" aria-label={title}>
			<Divider mb="sm" />
			<Group justify="space-between" align="center" gap="md">
				<Stack gap={2} flex="1 1 300px" miw={0}>
					<Title order={2} size="h5">
						{title}
					</Title>
					<Text>
						{t("backupNotice.body", { at: formatTime(safetyBackup.takenAt), size: formatSize(safetyBackup.size) })}
					</Text>
					{safetyBackup.saved ? (
						<Text mod="anywhere">{t("backupNotice.saved", { path: safetyBackup.saved.path })}</Text>
					) : null}
					{safetyBackup.inventoryUnwritten ? (
						<Text mod="anywhere">{t("run:inventory.unwritten", { reason: safetyBackup.inventoryUnwritten })}</Text>
					) : null}
					{safetyBackup.isRecognized === false ? (
						<Text>{t("backupNotice.notRecognized")}</Text>
					) : safetyBackup.unverifiedEntries ? (
						<Text>{t("backupNotice.unverified", { count: safetyBackup.unverifiedEntries })}</Text>
					) : null}
					<WarningList title={shared("backupWarnings")} messages={safetyBackup.warnings} />
					<FurtherResponse title={shared("backupFurther")} lines={safetyBackup.further} />
				</Stack>
				<Group gap="xs" align="flex-start">
					{safetyBackup.saved ? <ShowInFolder path={safetyBackup.saved.path} /> : null}
					<UndoImport site={site} target={target} record={record} takenAt={safetyBackup.takenAt} saidAbove />
				</Group>
			</Group>
		</Box>
	);
}

/**
 * Notice about deactivated webhooks of the server, for example after a stopped import, with a link to reactivate them.
 */
export function StillDeactivated({ site }: { site: SiteView }) {
	const { go } = useNavigation();
	const target = serverOf(site);
	// An import can activate webhooks that were deactivated before it.
	useLogComparison(target);
	const textOf = useConcernText();
	const concerns = useSiteOverview(site.id).data?.concerns ?? [];
	const concern = concerns.find(({ about, server }) => about.kind === "webhooks" && server === target.server);
	if (!concern) return null;
	const { title, act, to } = textOf(site, concern);
	return (
		<Notice tone="warnings" icon={IconWebhook} title={title}>
			<LinkButton ta="left" onClick={() => to && go(to)}>
				{act}
			</LinkButton>
		</Notice>
	);
}
