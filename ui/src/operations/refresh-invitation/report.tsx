import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type InvitationView, type RefreshInvitationForm, type RefreshReport, useBackend } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { SavedFile } from "@/components/saved-file";
import { formatWeekday } from "@/lib/format";

interface ReportProps {
	done: Done<RefreshReport, RefreshInvitationForm>;
	invitation: InvitationView | undefined;
}

/** Until when it is valid, and where its file is. */
export function Report({ done, invitation }: ReportProps) {
	const { t } = useTranslation("refreshInvitation");
	const backend = useBackend();
	const { saving, kept, expiration } = done.report;
	const saved = saving.kind === "saved";
	return (
		<Outcome outcome={saved ? "succeeded" : "warnings"} title={t("done", { until: formatWeekday(expiration) })}>
			<DoneAt at={done.at} />
			{invitation ? (
				<Text size="sm" style={{ overflowWrap: "anywhere" }}>
					{t("for", { guest: invitation.guestPortalUrl, collaboration: invitation.collaborationName })}
				</Text>
			) : null}
			{saved ? null : <Text size="sm">{t("notSaved")}</Text>}
			<SavedFile saving={saving} saveAgain={() => backend.saveInvitationAgain(kept)} />
		</Outcome>
	);
}
