import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SessionView, SiteView } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { usePractice, useSession } from "@/lib/queries";
import { SignIn } from "./sign-in";

/** Lets in who is signed in and asks everybody else to. */
export function SiteGate({ site, children }: { site: SiteView; children: (session: SessionView) => ReactNode }) {
	const { t } = useTranslation("sites");
	const session = useSession(site.id);
	const practice = usePractice();
	if (session.data) return children(session.data);
	if (session.isPending) return <LoadingRows rows={3} height={64} />;
	// A practice site that is not running does not answer; the way to start it says enough.
	const asleep = site.environment === "practice" && !practice.data;
	const problem = session.error && session.error.kind !== "signIn" && !asleep ? session.error : null;
	return (
		<Page title={t("signIn.title", { site: site.name })} description={t("signIn.description")}>
			{problem ? <ProblemNotice problem={problem} onRetry={() => void session.refetch()} /> : null}
			<Paper withBorder p="lg" maw={440}>
				<SignIn site={site} />
			</Paper>
		</Page>
	);
}
