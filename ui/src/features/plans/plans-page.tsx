import { Stack, Text } from "@mantine/core";
import { IconCalendarTime, IconPlus } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, PlanId, PlanList, PlanView, RegistrationView, SiteView } from "@/bridge";
import { Board } from "@/components/board";
import { Dialog } from "@/components/dialog";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { EmptyState, HelpLink, Page } from "@/components/page";
import { IconButton } from "@/components/text";
import { formatAgo, formatTime, useNow } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { usePreferences } from "@/lib/preferences";
import { endsOf, usePlanRunner, usePlans } from "@/lib/queries/plans";
import { useCommand, useStale } from "@/lib/use-command";
import { DeletePlan } from "./delete-plan";
import { PlanRow } from "./plan-row";
import { PlanSets } from "./plan-sets";

export function PlansPage({ site, chosen }: { site: SiteView; chosen: PlanId | null }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const runner = usePlanRunner().data;
	const running = runner?.running ?? null;
	const { list, error, refetch, run } = useRuns(site, running?.plan ?? null);
	const [leaving, setLeaving] = useState<PlanView | null>(null);
	const [stopping, setStopping] = useState<BackupPlan | null>(null);
	const { policy } = usePreferences();
	const isForbidden = policy?.plans === "forbidden";
	const add = isForbidden ? null : (
		<IconButton
			label={t("new")}
			variant="filled"
			icon={IconPlus}
			onClick={() => go({ page: "edit-plan", site: site.id })}
		/>
	);
	// By default, the first plan that needs a user is selected.
	const shown = list?.plans.find(({ plan }) => plan.id === chosen) ?? list?.plans.find(needsUser) ?? list?.plans[0];
	return (
		<Page
			title={t("title")}
			width="wide"
			actions={
				<>
					{list && list.plans.length > 0 ? add : null}
					<HelpLink topic="backup-plans" about={t("title")} />
				</>
			}
		>
			<WhenTheyRun site={site} list={list ?? null} />
			{runner ? <RegistrationNotice registration={runner.registration} /> : null}
			<ProblemNotice problem={run.error} />
			{isForbidden ? <Notice tone="warnings" title={t("forbidden")} /> : null}
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{list === undefined && !error ? <LoadingRows height={48} /> : null}
			{list?.plans.length === 0 ? (
				<EmptyState icon={IconCalendarTime} title={t("none.title")} action={add}>
					{t("none.body")}
				</EmptyState>
			) : null}
			{list && shown ? (
				<>
					<Board
						kind="plans"
						label={t("title")}
						heads={[t("list.plan"), t("list.state"), t("list.next"), t("list.last"), t("list.verified"), ""]}
					>
						{list.plans.map((view) => (
							<PlanRow
								key={view.plan.id}
								site={site}
								view={view}
								lastStart={list.lastStart}
								running={running?.plan === view.plan.id ? running : null}
								isChosen={view === shown}
								onRun={() => run.mutate(view.plan)}
								onStop={() => setStopping(view.plan)}
								onDelete={() => setLeaving(view)}
							/>
						))}
					</Board>
					<PlanSets key={site.id} site={site} plan={shown.plan} />
				</>
			) : null}
			<StopPlan plan={stopping} onClose={() => setStopping(null)} />
			<DeletePlan plan={leaving?.plan ?? null} onClose={() => setLeaving(null)} />
		</Page>
	);
}

const needsUser = ({ state }: PlanView) => state.kind === "needsYou" || state.kind === "didNotRun";

/** Notice if the job could not be registered with the system, or was repaired. */
function RegistrationNotice({ registration: { followed, problem } }: { registration: RegistrationView }) {
	const { t } = useTranslation("plans");
	if (problem !== null) {
		return (
			<Notice tone="warnings" title={t("registration.failed")}>
				<Text mod="anywhere">{problem}</Text>
				<Text>{t("registration.failedBody")}</Text>
			</Notice>
		);
	}
	return followed === "repaired" ? <Text role="status">{t("registration.repaired")}</Text> : null;
}

/** When plans run, and whether the scheduler has started the job. */
function WhenTheyRun({ site, list }: { site: SiteView; list: PlanList | null }) {
	const { t } = useTranslation("plans");
	useNow(60_000);
	const lastStart = list?.lastStart ?? null;
	const isScheduled = list?.plans.some(({ plan, hasSchedule }) => plan.isEnabled && hasSchedule) ?? false;
	if (site.environment === "practice") return <Text c="dimmed">{t("practice")}</Text>;
	return (
		<Stack gap={2}>
			<Text c="dimmed">
				{t("runsWhile")}{" "}
				{lastStart !== null
					? t("lastStart", { at: formatTime(lastStart), ago: formatAgo(lastStart) })
					: isScheduled
						? t("neverStarted")
						: null}
			</Text>
		</Stack>
	);
}

/** Plans of a site, with a function that runs one. The sets are read again when a run ends. */
function useRuns(site: SiteView, running: PlanId | null) {
	const stale = useStale();
	/** Ends of runs when a run was last requested. */
	const [before, setBefore] = useState<string | null>(null);
	// While a run is visible, its end will be noticed without frequent reads.
	const { data: list, error, refetch } = usePlans(site.id, running === null ? before : null);
	const runNow = useRunNow();
	const ends = list ? endsOf(list) : null;
	const seen = useRef(ends);
	const readLeft = useEffectEvent(() => void stale("runPlanNow", site.id));
	// On the first render and when a visible run ends: its sets might be newer than those in the cache.
	useEffect(() => {
		if (running === null) readLeft();
	}, [running]);
	useEffect(() => {
		if (seen.current !== null && seen.current !== ends) readLeft();
		seen.current = ends;
	}, [ends]);
	const mutate = (plan: BackupPlan) => {
		setBefore(ends);
		runNow.mutate(plan);
	};
	return { list, error, refetch, run: { mutate, error: runNow.error } };
}

/** Runs a plan now, with the same job as the scheduler. */
function useRunNow() {
	return useCommand(
		(backend, { id }: BackupPlan) => backend.runPlanNow(id),
		(stale, { site }) => stale("runPlanNow", site),
	);
}

export function StopPlan({ plan, onClose }: { plan: BackupPlan | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const stop = useCommand((backend) => backend.stopPlanRun(), ["stopPlanRun"], { onDone: onClose });
	return (
		<Dialog
			opened={plan !== null}
			onClose={onClose}
			title={t("stop.title", { plan: plan?.name ?? "" })}
			cancel={t("stop.keep")}
			confirm={t("stop.confirm")}
			irreversible
			command={stop}
			onConfirm={() => stop.mutate()}
		>
			<Text>{t("stop.body")}</Text>
		</Dialog>
	);
}
