import { Button, Menu, Table } from "@mantine/core";
import { IconPencil, IconPlayerPause, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, Millis, PlanPart, PlanState, PlanView, RunningPlan, SiteView } from "@/bridge";
import { Below, boardClasses as classes, FactCell } from "@/components/board";
import { IconItem, MoreMenu } from "@/components/menu";
import { CommandButton, ProblemNotice } from "@/components/notice";
import { LinkButton } from "@/components/text";
import { formatAgo, formatDate, formatDuration, formatSize, formatTimeOfDay, formatWhen } from "@/lib/format";
import { useNavigation, useSignInRequest } from "@/lib/navigation";
import { signInOf, usePlanText } from "@/lib/plan-text";
import { useRehearsedText } from "@/lib/recoverable-text";
import { serverName, signInAt } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { dotted, joined } from "@/messages/isolated";
import { isVerified, isWarned } from "./shown/part-state";
import { formOf, useSetEnabled } from "./shown/use-set-enabled";

interface PlanRowProps {
	site: SiteView;
	view: PlanView;
	/** Time when the runner was last started; `null` if it never was. */
	lastStart: Millis | null;
	/** Current run of the plan; `null` if it is not running. */
	running: RunningPlan | null;
	isChosen: boolean;
	onRun: () => void;
	onStop: () => void;
	onDelete: () => void;
}

/** Row of a plan: its state, next run, and last set. */
export function PlanRow({ site, view, lastStart, running, isChosen, onRun, onStop, onDelete }: PlanRowProps) {
	const { t } = useTranslation(["plans", "sites"]);
	const { go } = useNavigation();
	const { plan, state, next, hasSchedule, last, verified, rehearsed } = view;
	const textOf = useRehearsedText();
	const check = useCheck(view, lastStart);
	const { word, why, when, tone } = usePlanText()(site, check.state);
	const enable = useSetEnabled(plan);
	const servers = plan.parts.flatMap((part) => (part.kind === "server" ? [serverName(site, part.server)] : []));
	const named = servers.length > 1 ? [t("list.servers", { count: servers.length })] : servers;
	const parts = plan.parts.length > servers.length ? [t("list.portal"), ...named] : named;
	// The plan might have had other parts when it ran last.
	const isVerifiedNow = (part: PlanPart) =>
		last?.parts.some((one) => one.server === (part.kind === "server" ? part.server : null) && isVerified(one));
	const verifiedParts = state.kind === "verified" ? plan.parts.filter(isVerifiedNow).length : 0;
	const warned = state.kind === "verified" && last?.parts.some(isWarned) ? t("part.warned") : "";
	const [first] = next;
	const paused = !plan.isEnabled;
	const pausedBy = plan.paused ? joined([formatDate(plan.paused.since), plan.paused.by].filter(Boolean), ", ") : "";
	return (
		<Table.Tr aria-label={plan.name} aria-current={isChosen || undefined}>
			<Table.Td>
				<LinkButton
					fw={600}
					c="inherit"
					ta="start"
					aria-label={t("choose", { plan: plan.name })}
					onClick={() => go({ page: "plans", site: site.id, plan: plan.id })}
				>
					{plan.name}
				</LinkButton>
				<Below>{joined(parts, ", ")}</Below>
			</Table.Td>
			{running ? (
				<FactCell
					head={t("list.state")}
					below={<RunningText site={site} running={running} />}
					fact={t(running.isStopping ? "running.stopping" : "running.now")}
				/>
			) : (
				<FactCell
					head={t("list.state")}
					tone={warned ? "warnings" : tone}
					dimmed={tone === null}
					below={
						verifiedParts > 0
							? t("list.parts", { done: verifiedParts, total: plan.parts.length })
							: dotted(
									check.canRun ? t("list.canRun") : why || when || pausedBy,
									check.at && t("list.checked", { at: check.at }),
								)
					}
					fact={joined([word, warned], ", ")}
				/>
			)}
			<TimeCell
				head={t("list.next")}
				at={first ?? null}
				none={t("list.noNext")}
				below={first === undefined ? t(paused ? "list.paused" : hasSchedule ? "list.noNext" : "list.onRequest") : null}
			/>
			<TimeCell
				head={t("list.last")}
				at={last?.at ?? null}
				none={t("list.never")}
				// A run without a set ended before it exported anything.
				below={last?.took && last.folder ? t("list.took", { duration: formatDuration(last.took * 1_000) }) : null}
			/>
			<TimeCell
				head={t("list.verified")}
				at={verified}
				none={t("list.never")}
				below={
					verified !== null && rehearsed
						? dotted(formatAgo(verified), t("list.rehearsed", { how: textOf(rehearsed) }))
						: null
				}
			/>
			<Table.Td>
				<span className={classes.acts}>
					<SignIn site={site} plan={plan} state={check.state} />
					{check.isOffered && !running ? (
						<CommandButton
							command={check.command}
							label={t("list.check")}
							aria-label={t("list.checkLabel", { plan: plan.name })}
						/>
					) : null}
					<ProblemNotice problem={check.command.error} />
					{paused ? (
						<Button
							aria-label={t("menu.resumeLabel", { plan: plan.name })}
							loading={enable.isPending}
							onClick={() => enable.mutate(true)}
						>
							{t("menu.resume")}
						</Button>
					) : null}
					{running ? (
						<Button
							aria-label={t("running.stopLabel", { plan: plan.name })}
							disabled={running.isStopping}
							onClick={onStop}
						>
							{t("running.stop")}
						</Button>
					) : (
						<Button aria-label={t("menu.runLabel", { plan: plan.name })} onClick={onRun}>
							{t("menu.run")}
						</Button>
					)}
					<PlanMenu plan={plan} onDelete={onDelete} />
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

interface TimeCellProps {
	head: string;
	at: Millis | null;
	/** Shown without a time. */
	none: string;
	/** Second line; `null` for the time that has passed since `at`, or remains until it. */
	below: string | null;
}

function TimeCell({ head, at, none, below }: TimeCellProps) {
	if (at === null) return <FactCell head={head} dimmed below={below} fact={none} />;
	return <FactCell head={head} below={below ?? formatAgo(at)} fact={formatWhen(at)} />;
}

/** Part being exported, and its progress. */
function RunningText({ site, running: { part } }: { site: SiteView; running: RunningPlan }) {
	const { t } = useTranslation("plans");
	if (part === null) return t("running.between");
	const name = part.server === null ? t("list.portal") : serverName(site, part.server);
	if (part.done === null) return t("running.exporting", { part: name });
	return part.total === null
		? t("running.downloading", { part: name, done: formatSize(part.done) })
		: t("running.downloadingOf", { part: name, done: formatSize(part.done), total: formatSize(part.total) });
}

/**
 * Checks again the requirement that kept the last run of a plan from beginning; sends nothing to the site. A result from
 * before the last start of the runner is ignored, because the runner checked the requirement at that start.
 */
function useCheck({ plan, state }: PlanView, lastStart: Millis | null) {
	const command = useCommand((backend) => backend.planAcceptance(formOf(plan)));
	const isRefused = state.kind === "needsYou" && state.reason.kind === "notAccepted";
	const lines = isRefused && command.submittedAt > (lastStart ?? 0) ? command.data : undefined;
	const line = lines?.find(({ state }) => state === "notMet");
	const now: PlanState = isRefused && line ? { ...state, reason: { kind: "notAccepted", line } } : state;
	return {
		command,
		/** State of the plan, with the obstacle that was found last. */
		state: now,
		/** Whether nothing keeps a run from beginning any more. */
		canRun: lines !== undefined && line === undefined,
		/** Time of the check; empty if none counts. */
		at: lines ? formatTimeOfDay(command.submittedAt) : "",
		isOffered: isRefused && signInOf(now) === undefined,
	};
}

/** Sign-in button, if the state of the plan requires a sign-in. */
function SignIn({ site, plan, state }: { site: SiteView; plan: BackupPlan; state: PlanState }) {
	const { t } = useTranslation("sites");
	const askToSignIn = useSignInRequest();
	const server = signInOf(state);
	if (server === undefined) return null;
	return (
		<Button
			aria-label={`${t("attention.signIn")} ${plan.name}`}
			onClick={() => askToSignIn(site.id, signInAt(site, server))}
		>
			{t("attention.signIn")}
		</Button>
	);
}

export function PlanMenu({ plan, onDelete }: { plan: BackupPlan; onDelete: () => void }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const enable = useSetEnabled(plan);
	return (
		<MoreMenu label={t("menu.label", { plan: plan.name })}>
			<IconItem
				label={t("menu.edit")}
				icon={IconPencil}
				onClick={() => go({ page: "edit-plan", site: plan.site, plan: plan.id })}
			/>
			<IconItem
				label={t("menu.pause")}
				icon={IconPlayerPause}
				disabled={!plan.isEnabled}
				onClick={() => enable.mutate(false)}
			/>
			<Menu.Divider />
			<IconItem label={t("menu.delete")} icon={IconTrash} onClick={onDelete} />
		</MoreMenu>
	);
}
