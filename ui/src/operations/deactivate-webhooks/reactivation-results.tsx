import { Badge, Group, Menu, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconBell, IconCheck, IconRestore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BatchItemResult, BatchResult, DeactivationView, Millis, ReactivationReport, SiteView } from "@/bridge";
import { HideResult } from "@/components/after-run";
import { BatchReport } from "@/components/batch-report";
import { CopyButton } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { NotRecorded } from "@/components/done-at";
import { Foldable } from "@/components/foldable";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { IconButton, Lines } from "@/components/text";
import { formatTime, useNow } from "@/lib/format";
import { useDeactivations } from "@/lib/queries/site";
import type { OperationState } from "@/lib/runs";
import { countLeft, isActiveAgain } from "@/lib/service-state";
import { serverNameOf, serverOf, useTargetNameOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { dotted } from "@/messages/isolated";
import { canBeTriedAgain, countsOf, mustBeResolvedByHand } from "./use-choice";
import {
	type Actions,
	type AskToReactivate,
	hasEnded,
	ReactivateAll,
	type Reactivated,
	useLog,
} from "./use-reactivation";

interface ReactivationResultsProps {
	site: SiteView;
	actions: Actions;
	reactivate: AskToReactivate;
}

/** Results of the last reactivation, until the user hides them. */
export function ReactivationResults({ site, actions, reactivate }: ReactivationResultsProps) {
	const { reactivation, reactivateAll } = actions;
	const ended = [reactivation, reactivateAll].filter(({ state }) => hasEnded(state));
	if (ended.length === 0) return null;
	return (
		<Stack gap="xs">
			<ReactivationResult state={reactivation.state} />
			<ReactivationOfAllResult site={site} state={reactivateAll.state} reactivate={reactivate} />
			<HideResult
				onHide={() => {
					for (const action of ended) action.reset();
				}}
			/>
		</Stack>
	);
}

/** Result of a reactivation. Rejected webhooks are listed to be activated by hand. */
function ReactivationResult({ state }: { state: OperationState<ReactivationReport, Reactivated> }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (state.kind === "idle" || state.kind === "running") return null;
	if (state.kind === "failed") return <ProblemNotice problem={state.problem} outcome={state.outcome} />;
	const { service } = state.form.entry;
	if (state.kind === "notSent") return <Outcome outcome="notSent" title={t("log.notSent", { service })} />;
	if (state.kind !== "done") {
		return (
			<>
				<Outcome outcome="unknown" title={t("log.unknown", { service })} />
				{state.kind === "unknown" && state.record === null ? <NotRecorded /> : null}
			</>
		);
	}
	const { webhooks, counts, outcome, recorded } = state.report;
	const refused = webhooks.filter(({ end }) => end.kind === "rejected");
	const reason = refused[0]?.end;
	const { reactivated: done, inactive: count } = counts;
	const title = () => {
		if (outcome === "unknown") return t("log.partlyUnknown", { service });
		if (count === 0) return t("log.wereActive", { service });
		if (done === 0) return t("log.doneNone", { service });
		return done === count ? t("log.done", { service }) : t("log.partly", { count, done, service });
	};
	return (
		<Outcome outcome={outcome === "sent" ? "unknown" : outcome} title={title()}>
			<Stack gap="xs">
				<Lines lines={webhooks.map(({ name, end }) => t(`log.ends.${end.kind}`, { name }))} />
				{recorded ? null : <Text>{t("log.notRecorded")}</Text>}
				{reason?.kind === "rejected" ? (
					<>
						<ProblemNotice problem={reason.problem} />
						<Text>{t("log.byHand")}</Text>
						<Group>
							<CopyButton
								value={[service, ...refused.map(({ name }) => `- ${name}`)].join("\n")}
								label={t("log.copyByHand")}
							/>
						</Group>
					</>
				) : null}
			</Stack>
		</Outcome>
	);
}

interface ReactivationOfAllResultProps {
	site: SiteView;
	state: OperationState<BatchResult<ReactivationReport>, readonly DeactivationView[]>;
	reactivate: AskToReactivate;
}

function ReactivationOfAllResult({ site, state, reactivate }: ReactivationOfAllResultProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = useTargetNameOf("deactivate_webhooks", site);
	if (state.kind === "idle" || state.kind === "running") return null;
	if (state.kind === "failed") return <ProblemNotice problem={state.problem} outcome={state.outcome} />;
	if (state.kind !== "done") {
		return <Outcome outcome="notSent" title={t("reactivationOfAll.notSent", { site: target })} />;
	}
	const { parts } = state.report;
	const done = parts.flatMap((part) => (part.kind === "done" ? [part.report] : []));
	const { count, reactivated } = countsOf(state.form, parts);
	const about = { site: target, done: reactivated };
	const title = () => {
		if (reactivated === 0) return t("reactivationOfAll.none", about);
		return reactivated === count
			? t("reactivationOfAll.done", { ...about, count })
			: t("reactivationOfAll.partly", { ...about, count });
	};
	const left = parts.filter(mustBeResolvedByHand).length;
	const namesOf = (part: BatchItemResult<ReactivationReport>) =>
		part.kind === "done" ? part.report.webhooks.map(({ name, end }) => t(`log.ends.${end.kind}`, { name })) : [];
	return (
		<BatchReport
			site={site}
			at={state.at}
			asked={state.form}
			report={state.report}
			title={title()}
			lost={t("reactivationOfAll.lost")}
			table={{
				label: t("reactivationOfAll.table"),
				pages: t("reactivationOfAll.pages"),
				headings: [t("reactivationOfAll.service"), t("reactivationOfAll.webhooks")],
				keyOf: ({ id }) => id,
				cells: ({ service }, part) => (
					<>
						<Table.Td mod="anywhere">{service}</Table.Td>
						<Table.Td>
							{namesOf(part).map((line) => (
								<Text key={line} mod="anywhere">
									{line}
								</Text>
							))}
						</Table.Td>
					</>
				),
			}}
			file={{
				what: t("reactivationOfAll.file"),
				server: serverNameOf("deactivate_webhooks", site),
				before: [[t("reactivationOfAll.service"), ({ service }) => service]],
				after: [[t("reactivationOfAll.webhooks"), (_, part) => namesOf(part).join("; ")]],
			}}
			mayFollow={canBeTriedAgain}
			again={(rest) => (
				<ReactivateAll
					entries={rest}
					label={t("reactivationOfAll.again", { count: rest.length })}
					reactivate={reactivate}
				/>
			)}
		>
			{left === 0 ? null : <Text>{t("reactivationOfAll.left", { count: left })}</Text>}
			{done.every(({ recorded }) => recorded) ? null : <NotRecorded several />}
		</BatchReport>
	);
}

/** Number of resolved entries shown. Older ones are in the history only. */
const mostResolved = 20;

/** Services whose webhooks the app deactivated, each with its reactivation. */
export function DeactivationLog({ site, reactivate: { ask, busy } }: { site: SiteView; reactivate: AskToReactivate }) {
	const { t } = useTranslation("deactivateWebhooks");
	const { error, refetch } = useDeactivations(serverOf(site));
	const { entries, isRead, open, gone } = useLog(site);
	const resolved = entries.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, mostResolved);
	const failed = error ? <ProblemNotice problem={error} onRetry={() => void refetch()} /> : null;
	if (entries.length === 0) return failed;
	return (
		<Paper withBorder p="md" component="section" aria-label={t("log.title")}>
			<Stack gap="md">
				<Title order={2} size="h5">
					{t("log.title")}
				</Title>
				{failed}
				{open.length === 0 && isRead ? <Text>{t("log.nothing")}</Text> : null}
				{open.map((entry) => (
					<DeactivationEntry
						key={entry.id}
						site={site}
						entry={entry}
						isGone={gone.has(entry.id)}
						busy={busy}
						onReactivate={ask === null ? null : () => ask([entry])}
					/>
				))}
				{resolved.length > 0 ? (
					<Foldable title={t("log.resolved", { count: resolved.length })}>
						<Lines
							spacing={4}
							lines={resolved.map((entry) =>
								t(entry.byHand ? "log.resolvedByHand" : "log.resolvedHere", {
									service: entry.service,
									at: formatTime(entry.resolvedAt ?? entry.deactivatedAt),
									by: entry.restoredBy || t("log.unknownUser"),
								}),
							)}
						/>
					</Foldable>
				) : null}
			</Stack>
		</Paper>
	);
}

const day = 24 * 3_600_000;
/** Age in days from which a deactivation is marked as possibly forgotten. */
const longDays = 2;

interface DeactivationEntryProps {
	site: SiteView;
	entry: DeactivationView;
	/** Whether the server did not list the service at the last read. */
	isGone: boolean;
	busy: boolean;
	/** `null` while the site is locked. */
	onReactivate: (() => void) | null;
}

/** Entry of the deactivation log: a service with its deactivated webhooks, their state, and the possible actions. */
function DeactivationEntry({ site, entry, isGone, busy, onReactivate }: DeactivationEntryProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const moment = useNow(60_000);
	const { service, active } = entry;
	const days = Math.floor((moment - entry.deactivatedAt) / day);
	const again = isActiveAgain(entry);
	const count = countLeft([entry]);
	return (
		<Stack gap="xs" role="group" aria-label={service}>
			<Group gap="xs" align="center">
				<Text fw={600} mod="anywhere">
					{service}
				</Text>
				{days >= longDays && !again ? (
					<Badge
						variant="default"
						leftSection={<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden />}
					>
						{t("log.days", { count: days })}
					</Badge>
				) : null}
				{entry.remindAt ? (
					<Badge variant="default" leftSection={<IconBell size={14} aria-hidden />}>
						{t(entry.remindAt > moment ? "log.reminding" : "log.reminded", { at: formatTime(entry.remindAt) })}
					</Badge>
				) : null}
			</Group>
			<Stack gap={0} mod="anywhere">
				<EntryState entry={entry} />
				{isGone ? <Text>{t("log.gone")}</Text> : null}
				{entry.why ? <Text>{t("log.why", { why: entry.why })}</Text> : null}
				<Text>
					{active === null
						? t("log.notKnown")
						: active.length === 0
							? t("log.noneActive")
							: t("log.active", { names: dotted(...active) })}
				</Text>
			</Stack>
			<Group gap="xs">
				{count > 0 && onReactivate && !isGone ? (
					<IconButton
						label={t("log.reactivate", { count })}
						variant="filled"
						icon={IconRestore}
						aria-label={t("log.reactivateLabel", { count, service })}
						loading={busy}
						onClick={onReactivate}
					/>
				) : null}
				<RemindMenu site={site} entry={entry} />
				{active && active.length > 0 ? (
					<CopyButton value={[service, ...active.map((name) => `- ${name}`)].join("\n")} label={t("log.copy")} />
				) : null}
				<ResolveButton site={site} entry={entry} />
			</Group>
		</Stack>
	);
}

function EntryState({ entry }: { entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const { active, activeAgain: now } = entry;
	const about = { at: formatTime(entry.deactivatedAt), by: entry.by || t("log.unknownUser") };
	const some = { ...about, count: now.length, names: dotted(...now) };
	const state = () => {
		if (isActiveAgain(entry)) return t("log.again", about);
		if (now.length > 0)
			return active ? t("log.againSome", { ...some, total: active.length }) : t("log.againUnknown", some);
		return entry.known ? t("log.since", about) : t("log.uncertain", about);
	};
	return <Text {...(now.length > 0 ? {} : { c: "dimmed" })}>{state()}</Text>;
}

/** Marks an entry as resolved, for webhooks that were activated by hand or stay deactivated. */
function ResolveButton({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const [asking, setAsking] = useState(false);
	const resolve = useCommand(
		(backend) => backend.resolveDeactivation(site.id, entry.id),
		["resolveDeactivation", site.id],
	);
	return (
		<>
			<IconButton
				label={t("log.resolve")}
				icon={IconCheck}
				aria-label={t("log.resolveLabel", { service: entry.service })}
				onClick={() => setAsking(true)}
			/>
			<Dialog
				opened={asking}
				onClose={() => setAsking(false)}
				title={t("log.resolveLabel", { service: entry.service })}
				confirm={t("log.resolveConfirm")}
				command={resolve}
				onConfirm={() => resolve.mutate()}
			>
				<Text>{t("log.resolveBody")}</Text>
			</Dialog>
		</>
	);
}

// Loaded on demand: the calendar is too large for the start.
const PickTime = lazy(() => import("./pick-time"));

function RemindMenu({ site, entry }: { site: SiteView; entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const [picking, setPicking] = useState(false);
	const remind = useCommand((backend, at: Millis | null) => backend.remindMe(entry.id, at), ["remindMe", site.id], {
		onDone: () => setPicking(false),
	});
	const now = Date.now();
	return (
		<>
			<MenuButton
				position="bottom-start"
				label={t("remind.open")}
				icon={IconBell}
				about={t("remind.label", { service: entry.service })}
				loading={remind.isPending}
			>
				{presets.map((preset) => {
					const at = presetTime(preset, now);
					return (
						<Menu.Item key={preset} onClick={() => remind.mutate(at)}>
							{t(`remind.${preset}`, { at: formatTime(at) })}
						</Menu.Item>
					);
				})}
				<Menu.Item onClick={() => setPicking(true)}>{t("remind.pick")}</Menu.Item>
				{entry.remindAt === null ? null : (
					<>
						<Menu.Divider />
						<Menu.Item onClick={() => remind.mutate(null)}>{t("remind.never")}</Menu.Item>
					</>
				)}
			</MenuButton>
			{picking ? (
				<Suspense>
					<PickTime
						service={entry.service}
						usual={entry.remindAt ?? presetTime("tomorrow", now)}
						busy={remind.isPending}
						onCancel={() => setPicking(false)}
						onPick={remind.mutate}
					/>
				</Suspense>
			) : null}
			<ProblemNotice problem={remind.error} />
		</>
	);
}

const presets = ["hour", "tomorrow", "twoDays", "monday"] as const;
type Preset = (typeof presets)[number];

const morning = 9;

/** Returns the time of a preset: in an hour, or at 9:00 of a later day in local time. */
export function presetTime(preset: Preset, now: Millis): Millis {
	if (preset === "hour") return now + 3_600_000;
	const date = new Date(now);
	// Next Monday; on a Monday, the one a week later.
	const days = { tomorrow: 1, twoDays: 2, monday: (8 - date.getDay()) % 7 || 7 }[preset];
	date.setDate(date.getDate() + days);
	date.setHours(morning, 0, 0, 0);
	return date.getTime();
}
