import { Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CommandButton } from "@/components/command-button";
import { Outcome } from "@/components/outcome";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { Small } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { useGuidedTour, usePractice } from "@/lib/queries/program";
import { setSession } from "@/lib/queries/session";
import { useCommand } from "@/lib/use-command";
import { ActiveFaults } from "./active-faults";
import { FaultForm } from "./fault-form";
import { OwnSignIn } from "./own-sign-in";
import { ResetPractice } from "./reset-practice";
import { useGuidedTourAction } from "./use-guided-tour";

export function PracticePage() {
	const { t } = useTranslation("faultInjection");
	return (
		<Page title={t("title")} description={t("description")}>
			<ActiveFaults />
			<FaultForm />
			<SimulateChanges />
			<PractiseRehearsals />
			<GuidedTourOffer />
			<SiteFiles />
			<OwnSignIn />
			<ResetPractice />
		</Page>
	);
}

/** Offers the guided tour if it has not started or was ended. */
export function GuidedTourOffer() {
	const { t } = useTranslation("guidedTour");
	const tour = useGuidedTour().data;
	const begin = useGuidedTourAction((backend) => backend.startTour());
	if (tour?.begun !== null) return null;
	return (
		<Card title={t("offer.title")} align="flex-start">
			<Text>{t("offer.body")}</Text>
			<CommandButton command={begin} label={t("begin")} />
			{begin.error ? <ProblemNotice problem={begin.error} /> : null}
		</Card>
	);
}

/** Changes the configuration of the practice site as another administrator could have done, for the page of changes. */
function SimulateChanges() {
	const { t } = useTranslation("practice", { keyPrefix: "changes" });
	const simulate = useCommand(
		(backend) => backend.simulateChanges(),
		(stale) => stale("simulateChanges"),
	);
	return (
		<Card title={t("title")} align="flex-start">
			<Text>{t("body")}</Text>
			<CommandButton command={simulate} label={t("button")} />
			{simulate.isSuccess ? <Outcome outcome="succeeded" title={t("done")} /> : null}
			{simulate.error ? <ProblemNotice problem={simulate.error} /> : null}
		</Card>
	);
}

/** Starts the practice site that is marked as test, on which backup sets of this one are rehearsed. */
export function PractiseRehearsals() {
	const { t } = useTranslation("practice", { keyPrefix: "rehearsals" });
	const queries = useQueryClient();
	const { go } = useNavigation();
	const start = useCommand(
		(backend) => backend.startPracticeTest(),
		(stale) => stale("startPracticeTest"),
		{
			onDone: (session) => {
				setSession(queries, session);
				go({ page: "overview", site: session.site });
			},
		},
	);
	return (
		<Paper withBorder p="md" component="section" aria-label={t("title")}>
			<Stack gap="xs" align="flex-start">
				<Title order={2} size="h3">
					{t("title")}
				</Title>
				<Text>{t("body")}</Text>
				<CommandButton command={start} label={t("button")} />
				{start.error ? <ProblemNotice problem={start.error} /> : null}
			</Stack>
		</Paper>
	);
}

/** Whether the practice site accepts exports as uploads. On a real server, an administrator has to allow this. */
export function SiteFiles() {
	const { t } = useTranslation("practice", { keyPrefix: "siteFiles" });
	const hint = useId();
	const practice = usePractice().data;
	const accept = useCommand((backend, accepted: boolean) => backend.acceptSiteFiles(accepted), null, {
		answers: queryKeys.practice,
	});
	if (!practice) return null;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("title")}>
			<Stack gap="xs">
				<Switch
					label={t("label")}
					aria-describedby={hint}
					checked={accept.isPending ? accept.variables : practice.acceptsSiteFiles}
					onChange={(event) => accept.mutate(event.currentTarget.checked)}
				/>
				<Small id={hint}>{t("hint")}</Small>
				{accept.error ? <ProblemNotice problem={accept.error} /> : null}
			</Stack>
		</Paper>
	);
}
