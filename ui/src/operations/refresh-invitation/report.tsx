import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, RefreshReport, SiteId } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import { Notice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { SavedFile } from "@/components/saved-file";
import { formatDuration, formatWeekday } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useSaveInvitation } from "@/lib/use-save-invitation";
import { useSaving } from "@/lib/use-saving";
import { hour } from "./expiry";

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
	const { saving, kept, expiration } = report;
	const file = useSaving(`${kept} ${at}`, saving, () => save(kept));
	const saved = file.saving.kind === "saved";
	const now = useNow(60_000);
	const title = () => {
		if (expiration === null) return t("doneUnsaid");
		const hours = Math.round((expiration - now) / hour);
		const until = formatWeekday(expiration);
		return hours > 0 ? t("done", { until, left: formatDuration(hours * hour) }) : t("doneUntil", { until });
	};
	return (
		<>
			<Outcome outcome="succeeded" title={title()}>
				<DoneAt at={at} />
				{invitation ? (
					<Text mod="anywhere">
						{t("for", { guest: invitation.guestPortalUrl, collaboration: invitation.collaborationName })}
					</Text>
				) : null}
				{saved ? <SavedFile file={file} /> : null}
				{expiration === null ? null : (
					<Text c="dimmed">{t("reminder", { from: formatWeekday(expiration - 24 * hour) })}</Text>
				)}
			</Outcome>
			{/* The outcome is a success even if the file is not saved: the portal has refreshed the invitation. */}
			{saved ? null : (
				<Notice tone="warnings" title={t("notSaved")}>
					<Text>{t("kept")}</Text>
					<SavedFile file={file} isSaid />
				</Notice>
			)}
		</>
	);
}
