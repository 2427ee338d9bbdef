import { Box, Button, Paper, Text } from "@mantine/core";
import { IconLogin2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { ReadOnly } from "@/components/read-only";
import { AccountContext } from "@/lib/account";
import { EndedSessionContext, useSignInRequest } from "@/lib/navigation";
import { useLastSession, usePractice, useSession } from "@/lib/queries/program";
import { SignIn } from "./sign-in";

/**
 * Shows the content to a signed-in user, and the sign-in otherwise.
 *
 * If a session expires, the content stays, because it might be a result or a half-filled form. Another user gets new
 * content.
 */
export function RequireSignIn({ site, children }: { site: SiteView; children: (session: SessionView) => ReactNode }) {
	const { t } = useTranslation("sites");
	const session = useSession(site);
	const practice = usePractice();
	const last = useLastSession(site.id);
	// What another server offers does not apply to this one.
	const isOfOther = session.isPending && last?.server !== site.currentServer;
	const shown = session.data ?? (isOfOther ? null : last);
	if (shown) {
		return (
			<AccountContext key={`${shown.username} ${site.currentServer}`} value={shown}>
				{session.data === null ? <SessionEnded site={site} /> : null}
				<EndedSessionContext value={session.data === null ? site.id : null}>{children(shown)}</EndedSessionContext>
			</AccountContext>
		);
	}
	if (session.isPending) return <LoadingRows rows={3} height={64} />;
	// A practice site that is not running does not respond; the button to start it is enough.
	const isPracticeStopped = site.environment === "practice" && !practice.data;
	const isMissing = session.error?.kind === "signIn" && !session.error.elsewhere;
	const problem = session.error && !isMissing && !isPracticeStopped ? session.error : null;
	return (
		<Page title={t("signIn.title", { site: site.name })} description={t("signIn.description")}>
			{/* A notice that requests the sign-in needs no button here, because the form is below it. */}
			<EndedSessionContext value={site.id}>
				<ProblemNotice problem={problem} onRetry={() => void session.refetch()} site={site} />
			</EndedSessionContext>
			<Paper withBorder p="lg" maw={440}>
				<SignIn site={site} />
			</Paper>
			{/* A locked site must be unlocked before it is edited or removed, even if no sign-in is possible any more. */}
			<ReadOnly site={site} />
		</Page>
	);
}

function SessionEnded({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const askToSignIn = useSignInRequest();
	return (
		<Box mb="lg">
			<Notice tone="warnings" icon={IconLogin2} title={t("signIn.ended", { site: site.name })}>
				<Text>{t("signIn.endedWhat")}</Text>
				<div>
					<Button variant="filled" onClick={() => askToSignIn(site.id)}>
						{t("signIn.submit")}
					</Button>
				</div>
			</Notice>
		</Box>
	);
}
