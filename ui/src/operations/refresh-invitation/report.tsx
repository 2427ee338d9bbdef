import { Button, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchItemResult, BatchResult, InvitationView, Millis, RefreshReport, SiteId, SiteView } from "@/bridge";
import { BatchReport } from "@/components/batch-report";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { Notice } from "@/components/notice";
import { FactList, Outcome } from "@/components/outcome";
import { SavedFile, ShowInFolder, UnsavedFile } from "@/components/saved-file";
import { TwoLines } from "@/components/wide-table";
import { fileName, folderOf, formatDuration, formatWeekday, useNow } from "@/lib/format";
import { useSaveInvitation, useSaving } from "@/lib/use-saving";
import { Confirm, hour, keyOf, useAskRefresh } from "./confirm";
import { UnsavedInvitations } from "./unsaved-invitations";

interface ReportProps {
	site: SiteId;
	at: Millis;
	report: RefreshReport;
	invitation: InvitationView | null;
}

/** Result of one invitation: its expiration and its file. */
export function Report({ site, at, report, invitation }: ReportProps) {
	const { t } = useTranslation("refreshInvitation");
	const save = useSaveInvitation(site);
	const { saving, kept, expiration, isExtended } = report;
	const file = useSaving(`${kept} ${at}`, saving, () => save(kept));
	const saved = file.saving.kind === "saved" ? file.saving.file : null;
	const now = useNow(60_000);
	const title = () => {
		if (expiration === null) return t("doneUnsaid");
		const hours = Math.round((expiration - now) / hour);
		const until = formatWeekday(expiration);
		if (!isExtended) return t("notExtended", { until });
		return hours > 0 ? t("done", { until, left: formatDuration(hours * hour) }) : t("doneUntil", { until });
	};
	return (
		<>
			<Outcome outcome={isExtended ? "succeeded" : "warnings"} title={title()}>
				<DoneAt at={at} />
				{isExtended ? null : <Text>{t("notExtendedWhat")}</Text>}
				{invitation ? (
					<Text mod="anywhere">
						{t("for", { guest: invitation.guestPortalUrl, collaboration: invitation.collaborationName })}
					</Text>
				) : null}
				{saved ? (
					<FactList>
						<SavedFile file={saved} />
					</FactList>
				) : null}
				{expiration !== null && isExtended ? (
					<Text c="dimmed">{t("reminder", { from: formatWeekday(expiration - 24 * hour) })}</Text>
				) : null}
			</Outcome>
			{/* The outcome is a success even if the file is not saved: the portal has refreshed the invitation. */}
			{saved ? null : (
				<Notice tone="warnings" title={t("notSaved")}>
					<Text>{t("kept")}</Text>
					<UnsavedFile file={file} isSaid />
				</Notice>
			)}
		</>
	);
}

interface FolderReportProps {
	site: SiteView;
	at: Millis;
	invitations: readonly InvitationView[];
	report: BatchResult<RefreshReport>;
	onAgain: (invitations: readonly InvitationView[], reason: string) => void;
}

/** Result of each invitation with its saved file. */
export function FolderReport({ site, at, invitations, report, onAgain }: FolderReportProps) {
	const { t } = useTranslation(["refreshInvitation", "run"]);
	const { parts } = report;
	const done = parts.flatMap((part) => (part.kind === "done" ? [part.report] : []));
	const [path] = done.flatMap(({ saving }) => (saving.kind === "saved" ? [saving.file.path] : []));
	const refused = done.some(({ saving }) => saving.kind === "failed");
	const notExtended = done.filter(({ isExtended }) => !isExtended).length;
	const expiration = (notExtended === 0 && done[0]?.expiration) || null;
	return (
		<BatchReport
			site={site}
			at={at}
			asked={invitations}
			report={report}
			title={t("refreshed", { done: done.length, count: parts.length, site: site.name })}
			lost={t("lostOne")}
			above={<UnsavedInvitations site={site} />}
			table={{
				label: t("resultTable"),
				pages: t("pages"),
				headings: [t("guest"), t("file")],
				keyOf,
				cells: (asked, part) => (
					<>
						<TwoLines main={asked.guestPortalUrl} second={asked.collaborationName} />
						{part.kind === "done" ? <File part={part} /> : <Table.Td />}
					</>
				),
			}}
			file={{
				what: t("resultFile"),
				before: [
					[t("guest"), ({ guestPortalUrl }) => guestPortalUrl],
					[t("collaboration"), ({ collaborationName }) => collaborationName],
				],
				after: [
					[t("file"), (_, part) => fileOf(part) ?? ""],
					[t("validUntil"), (_, part) => untilOf(part)],
					[t("collaborationId"), ({ collaborationId }) => collaborationId],
					[t("invitationId"), ({ invitationId }) => invitationId],
				],
			}}
			again={(rest) => <Again site={site} rest={rest} onAgain={onAgain} />}
		>
			{refused ? <Text>{t("folderRejected")}</Text> : null}
			{notExtended > 0 ? <Text>{t("notExtendedSome", { count: notExtended })}</Text> : null}
			{path ? (
				<CopyField label={t("inFolder")} value={folderOf(path)} copyLabel={t("run:saving.copyPath")} isPath>
					<ShowInFolder path={path} />
				</CopyField>
			) : null}
			{expiration === null ? null : (
				<Text c="dimmed">{t("reminder", { from: formatWeekday(expiration - 24 * hour) })}</Text>
			)}
		</BatchReport>
	);
}

interface AgainProps extends Pick<FolderReportProps, "site" | "onAgain"> {
	rest: readonly InvitationView[];
}

function Again({ site, rest, onAgain }: AgainProps) {
	const { t } = useTranslation("refreshInvitation");
	const asking = useAskRefresh(site, rest);
	return (
		<Stack gap="xs" align="flex-start">
			<Button variant="filled" loading={asking.isReading} onClick={asking.ask}>
				{t("refreshRest", { count: rest.length })}
			</Button>
			{asking.news}
			<Confirm
				opened={asking.isAsked}
				onClose={asking.close}
				site={site}
				invitations={rest}
				onConfirm={(reason) => onAgain(rest, reason)}
			/>
		</Stack>
	);
}

function File({ part }: { part: Extract<BatchItemResult<RefreshReport>, { kind: "done" }> }) {
	const { t } = useTranslation("refreshInvitation");
	const { expiration } = part.report;
	const until = expiration === null ? "" : t("until", { until: formatWeekday(expiration) });
	return <TwoLines main={fileOf(part) ?? t("fileNotSaved")} second={until} />;
}

/** Returns the name of the saved file; `null` if none was saved. */
function fileOf(part: BatchItemResult<RefreshReport>): string | null {
	if (part.kind !== "done" || part.report.saving.kind !== "saved") return null;
	return fileName(part.report.saving.file.path);
}

function untilOf(part: BatchItemResult<RefreshReport>): string {
	if (part.kind !== "done" || part.report.expiration === null) return "";
	return new Date(part.report.expiration).toISOString();
}
