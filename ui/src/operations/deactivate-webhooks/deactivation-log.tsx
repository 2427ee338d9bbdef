import { Badge, Button, Group, Menu, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconBell, IconCheck, IconRestore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, HistoryEntry, Millis, SiteView } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { Dialog } from "@/components/dialog";
import { Foldable } from "@/components/foldable";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/notice";
import { RecoveryNotice } from "@/components/recovery-notice";
import { IconButton, Lines, LinkButton } from "@/components/text";
import { formatList, formatTime, useNow } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import type { RecoveryProps } from "@/lib/operation-ui";
import { useDeactivations, useServices } from "@/lib/queries/site";
import { countLeft, isActiveAgain } from "@/lib/service-state";
import { serverOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { dotted } from "@/messages/isolated";
import { type AskToReactivate, isGone, ReactivateAll, useLog } from "./use-reactivation";

/**
 * Link that expands the deactivation log below the list. It is expanded initially if it could not be read, or if the
 * list lacks the service of an open entry, which would otherwise be hidden.
 */
export function LogLink({ site, reactivate }: { site: SiteView; reactivate: AskToReactivate }) {
	const { t } = useTranslation("deactivateWebhooks");
	const target = serverOf(site);
	const log = useLog(site);
	const { error, isPending, errorUpdateCount } = useDeactivations(target);
	// Includes a repeated read after a failure: the log reads again when it is expanded.
	const hasFailed = error !== null || (isPending && errorUpdateCount > 0);
	const services = useServices(target, { enabled: false });
	const [chosen, setChosen] = useState<boolean | null>(null);
	const listed = new Set(services.error ? [] : (services.data ?? []).map(({ path }) => path));
	const isOpen = chosen ?? (hasFailed || (!services.isPending && log.open.some(({ service }) => !listed.has(service))));
	if (log.entries.length === 0 && !hasFailed) return null;
	return (
		<Stack gap="sm">
			<Group justify="space-between" gap="xs">
				<LinkButton aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
					{t("log.link", { count: log.open.length })}
				</LinkButton>
				{log.left.length > 1 ? <ReactivateAll entries={log.left} reactivate={reactivate} /> : null}
			</Group>
			<ProblemNotice problem={reactivate.problem} />
			{isOpen ? <DeactivationLog site={site} reactivate={reactivate} /> : null}
		</Stack>
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

/** Returns the services whose webhooks a history entry deactivated. */
function deactivatedIn({ summary, operation, parameters }: HistoryEntry): readonly string[] {
	if (summary?.kind === "deactivation") return summary.services;
	return operation === "deactivate_webhook" ? [parameterOf(parameters, "service")] : [];
}

/** Links a history entry to its open deactivations. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const { go } = useNavigation();
	const services = deactivatedIn(entry);
	const target = { site: site.id, server: entry.server };
	const log = useDeactivations(target).data ?? [];
	// Cached services: the history sends no request to a server.
	const known = useServices(target, { enabled: false });
	// Webhooks that were activated outside of the app leave nothing to reactivate.
	const open = log.filter(
		({ record, service, resolvedAt, left }) =>
			resolvedAt === null && record === entry.id && services.includes(service) && left?.length !== 0,
	);
	if (open.length === 0) return null;
	const left = open.filter(({ service }) => !isGone(known.error ? undefined : known.data, service));
	if (left.length === 0) {
		return (
			<RecoveryNotice
				title={t("details.recovery.gone", { count: open.length })}
				text={t("details.recovery.goneWhat", { services: formatList(open.map(({ service }) => service)) })}
			/>
		);
	}
	return (
		<RecoveryNotice
			title={t("details.recovery.reactivate", { count: left.length })}
			text={t("details.recovery.reactivateWhat")}
		>
			<Button onClick={() => go({ page: "operation", ...target, key: "deactivate_webhooks" })}>
				{t("details.recovery.toWebhooks")}
			</Button>
		</RecoveryNotice>
	);
}
