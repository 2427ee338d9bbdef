import { Button, Code, Group, Switch, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useBackend } from "@/bridge";
import { CopyButton, CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { CommandButton, ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { Card, Page } from "@/components/page";
import { Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { useForgetDrafts } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { queryKeys } from "@/lib/queries/keys";
import { setSession, useGuidedTour, usePractice } from "@/lib/queries/program";
import { useRunStore } from "@/lib/runs";
import { useCommand, useStale } from "@/lib/use-command";
import { administrator } from "@/lib/use-practice-start";
import { ActiveFaults, FaultForm, useGuidedTourAction } from "./fault-form";

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
			<ProblemNotice problem={begin.error} />
		</Card>
	);
}

/** Changes the configuration of the practice site as another administrator could have done, for the page of changes. */
function SimulateChanges() {
	const { t } = useTranslation("practice", { keyPrefix: "changes" });
	const simulate = useCommand((backend) => backend.simulateChanges(), ["simulateChanges"]);
	return (
		<Card title={t("title")} align="flex-start">
			<Text>{t("body")}</Text>
			<CommandButton command={simulate} label={t("button")} />
			{simulate.isSuccess ? <Outcome outcome="succeeded" title={t("done")} /> : null}
			<ProblemNotice problem={simulate.error} />
		</Card>
	);
}

/** Starts the practice site that is marked as test, on which backup sets of this one are rehearsed. */
export function PractiseRehearsals() {
	const { t } = useTranslation("practice", { keyPrefix: "rehearsals" });
	const queries = useQueryClient();
	const { go } = useNavigation();
	const start = useCommand((backend) => backend.startPracticeTest(), ["startPracticeTest"], {
		onDone: (session) => {
			setSession(queries, session);
			go({ page: "overview", site: session.site });
		},
	});
	const damage = useCommand((backend) => backend.damagePracticeSet(), ["damagePracticeSet"]);
	return (
		<Card title={t("title")} align="flex-start">
			<Text>{t("body")}</Text>
			<CommandButton command={start} label={t("button")} />
			<ProblemNotice problem={start.error} />
			<Text>{t("damage.body")}</Text>
			<CommandButton command={damage} label={t("damage.button")} />
			{damage.isSuccess ? (
				<Outcome
					outcome={damage.data === null ? "notSent" : "succeeded"}
					title={damage.data === null ? t("damage.none") : t("damage.done", { file: damage.data })}
				/>
			) : null}
			<ProblemNotice problem={damage.error} />
		</Card>
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
		<Card title={t("title")}>
			<Switch
				label={t("label")}
				aria-describedby={hint}
				checked={accept.isPending ? accept.variables : practice.acceptsSiteFiles}
				onChange={(event) => accept.mutate(event.currentTarget.checked)}
			/>
			<Small id={hint}>{t("hint")}</Small>
			<ProblemNotice problem={accept.error} />
		</Card>
	);
}

export function ResetPractice() {
	const { t } = useTranslation("faultInjection");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const runs = useRunStore();
	const forgetDrafts = useForgetDrafts();
	const [asking, ask] = useDisclosure(false);
	const reset = useMutation({
		mutationFn: async () => {
			const practice = await backend.resetPractice();
			return backend.signInToPractice(administrator(practice.users).username);
		},
		onSuccess: async (session) => {
			setSession(queries, session);
			// Results and drafts refer to data that no longer exists.
			runs.forget(session.site);
			forgetDrafts(session.site);
			ask.close();
			await stale("resetPractice");
		},
	});
	return (
		<Card title={t("reset.title")} align="flex-start">
			<Text>{t("reset.body")}</Text>
			<Button onClick={ask.open}>{t("reset.button")}</Button>
			{reset.data && !asking ? <Outcome outcome="succeeded" title={t("reset.done")} /> : null}
			<Dialog
				opened={asking}
				onClose={ask.close}
				title={t("reset.ask")}
				confirm={t("reset.confirm")}
				irreversible
				command={reset}
				onConfirm={() => reset.mutate()}
			>
				<Text>{t("reset.consequence")}</Text>
			</Dialog>
		</Card>
	);
}

/** URL, users, and fingerprint of the practice site, for adding it like any other site. */
function OwnSignIn() {
	const { t } = useTranslation("practice");
	const { site, users, fingerprint } = usePractice().data ?? {};
	if (!site || !users) return null;
	return (
		<Card title={t("own.title")}>
			<Text>{t("own.body")}</Text>
			{site.portal ? <CopyField label={t("own.address")} value={site.portal} copyLabel={t("own.copyAddress")} /> : null}
			{fingerprint ? (
				<>
					<CopyField label={t("own.fingerprint")} value={fingerprint} copyLabel={t("own.copyFingerprint")} />
					<Text c="dimmed">{t("own.fingerprintHint")}</Text>
				</>
			) : null}
			<Table layout="fixed" verticalSpacing={4} horizontalSpacing={0} aria-label={t("own.people")}>
				<Heads of={[[t("own.username"), { w: "38%" }], t("own.password")]} />
				<Table.Tbody>
					{users.map(({ username }) => (
						<Table.Tr key={username}>
							<Table.Td mod="anywhere">{username}</Table.Td>
							<Table.Td>
								<OwnPassword username={username} />
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Card>
	);
}

/** Password of a practice user. It is in the window only between "show" and "hide". */
function OwnPassword({ username }: { username: string }) {
	const { t } = useTranslation("practice");
	const reveal = useCommand((backend) => backend.practicePassword(username));
	if (reveal.error) return <ProblemNotice problem={reveal.error} onRetry={() => reveal.mutate()} />;
	const shown = reveal.data !== undefined;
	const Eye = shown ? IconEyeOff : IconEye;
	return (
		<Group gap="xs" wrap="nowrap" justify="space-between">
			{/* Live region, so that the revealed password is read out. */}
			<Code fz="xs" px="xs" py={6} role="status" mod="anywhere">
				{reveal.data ?? t("own.hidden")}
			</Code>
			<Group gap="xs" wrap="nowrap" flex="none">
				{shown ? <CopyButton value={reveal.data} /> : null}
				<Button
					leftSection={<Eye size={14} aria-hidden />}
					loading={reveal.isPending}
					aria-label={t(shown ? "own.hideOf" : "own.showOf", { username })}
					onClick={() => (shown ? reveal.reset() : reveal.mutate())}
				>
					{t(shown ? "own.hide" : "own.show")}
				</Button>
			</Group>
		</Group>
	);
}
