import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type InvitationView, type RefreshInvitationForm, type RefreshReport, useBackend } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { SavedFile } from "@/components/saved-file";
import { formatDuration, formatWeekday } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useSaving } from "@/lib/use-saving";

const hour = 3_600_000;

interface ReportProps {
	done: Done<RefreshReport, RefreshInvitationForm>;
	invitation: InvitationView | undefined;
}

/** Until when it is valid, and where its file is. */
export function Report({ done, invitation }: ReportProps) {
	const { t } = useTranslation("refreshInvitation");
	const backend = useBackend();
	const { saving, kept, expiration } = done.report;
	const file = useSaving(`${kept} ${done.at}`, saving, () => backend.saveInvitationAgain(kept));
	const saved = file.saving.kind === "saved";
	const now = useNow(60_000);
	const hours = Math.round((expiration - now) / hour);
	const until = formatWeekday(expiration);
	const title = hours > 0 ? t("done", { until, left: formatDuration(hours * hour) }) : t("doneUntil", { until });
	return (
		<Outcome outcome={saved ? "succeeded" : "warnings"} title={title}>
			<DoneAt at={done.at} />
			{invitation ? (
				<Text size="sm" style={{ overflowWrap: "anywhere" }}>
					{t("for", { guest: invitation.guestPortalUrl, collaboration: invitation.collaborationName })}
				</Text>
			) : null}
			{saved ? null : <Text size="sm">{t("notSaved")}</Text>}
			<SavedFile file={file} />
		</Outcome>
	);
}
