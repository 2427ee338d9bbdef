import { ActionIcon, Button, Group, Menu, Progress, Select, Stack, Table, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconAlertTriangle, IconCheck, IconCopy, IconDots, IconList, IconShieldCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryKey,
	type HistorySearch,
	operations,
	type TrailBreak,
	type TrailEvent,
	trailKinds,
} from "@/bridge";
import { DialogFrame } from "@/components/dialog";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { SaveStatus } from "@/components/saved-file";
import { Time } from "@/components/text";
import { Heads, TwoLines, WideTable } from "@/components/wide-table";
import { formatList, formatNumber, formatTime } from "@/lib/format";
import { historyActs, isAct, useHistoryName, useNameOfRun } from "@/lib/history-text";
import { useTrail, useTrailEvents } from "@/lib/queries/history";
import { queryKeys } from "@/lib/queries/keys";
import { useTargetName } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { joined } from "@/messages/isolated";
import { SaveTrail, SaveTrailItems, useSaveTrail } from "./save-trail";

function Breaks({ breaks, further }: { breaks: readonly TrailBreak[]; further: number }) {
	const { t } = useTranslation("history");
	if (breaks.length === 0) return null;
	const named = ({ first, last }: TrailBreak) =>
		first === last ? formatNumber(first) : t("trail.broken.events", { first, last });
	const kinds = [...new Set(breaks.map((one) => one.what))];
	return (
		<Notice tone="failed" icon={IconAlertTriangle} role="alert" title={t("trail.broken.title")}>
			{kinds.map((what) => {
				const of = breaks.filter((one) => one.what === what);
				const count = what === "untold" ? of.length : of.reduce((sum, { first, last }) => sum + last - first + 1, 0);
				return <Text key={what}>{t(`trail.broken.${what}`, { count, events: formatList(of.map(named)) })}</Text>;
			})}
			{further > 0 ? <Text>{t("trail.broken.further", { count: further })}</Text> : null}
			<Text>{t("trail.broken.stays")}</Text>
		</Notice>
	);
}

interface AuditTrailProps {
	search: HistorySearch;
	/** Shown before the audit trail on the same line. */
	children?: ReactNode;
}

/** Audit trail: last verified event, damaged places, rollbacks, and a menu for the head, the events, and the files. */
export function AuditTrail({ search, children }: AuditTrailProps) {
	const { t } = useTranslation("history");
	const verify = useCommand((backend) => backend.verifyTrail(), null, { answers: queryKeys.trail });
	const { data: trail } = useTrail(verify.isPending);
	const stop = useCommand((backend) => backend.stopTrailVerification());
	const save = useSaveTrail(search, []);
	const [shows, setShows] = useState(false);
	const { verifiedThrough = 0, breaks = [], further = 0, rolledBack = [], verifying = null } = trail ?? {};
	return (
		<Stack gap="xs">
			<Group gap="xs" mih={30}>
				{/* Rendered before and after the audit trail is read, so that `children` keep their place and their state. */}
				<Group gap="xs" flex="1 1 auto">
					{children}
				</Group>
				{trail ? (
					<>
						<Text role="status" miw={0}>
							{joined(
								[
									verifiedThrough > 0 ? t("trail.verified", { event: verifiedThrough }) : t("trail.notVerified"),
									// Without the time, a verification would change nothing on screen if there are no new events.
									...(verify.isSuccess ? [formatTime(verify.submittedAt)] : []),
								],
								", ",
							)}
						</Text>
						{verifying === null ? (
							<CommandButton command={verify} label={t("trail.verify")} flex="none" icon={IconShieldCheck} />
						) : (
							<CommandButton command={stop} label={t("trail.stopVerification")} flex="none" />
						)}
						<TrailMenu head={trail.head} save={save} onShowEvents={() => setShows(true)} />
					</>
				) : null}
			</Group>
			{verifying === null ? null : (
				<Stack gap={4}>
					<Progress value={(verifying.done / Math.max(1, verifying.total)) * 100} aria-label={t("trail.progress")} />
					<Text c="dimmed">{t("trail.verifying", { done: verifying.done, total: verifying.total })}</Text>
				</Stack>
			)}
			<Breaks breaks={breaks} further={further} />
			{rolledBack.length > 0 ? (
				<Notice tone="failed" icon={IconAlertTriangle} role="alert" title={t("trail.rolledBack.title")}>
					{rolledBack.map(({ entry, isForwarded }) => (
						<Text key={`${entry} ${isForwarded}`}>
							{t(isForwarded ? "trail.rolledBack.forwarded" : "trail.rolledBack.dailyCopy", {
								event: entry,
							})}
						</Text>
					))}
				</Notice>
			) : null}
			<TrailEvents search={search} opened={shows} onClose={() => setShows(false)} />
			<ProblemNotice problem={verify.error} />
			<SaveStatus save={save} label={t("saved.path")} dismissed={t("saved.dismissed")} />
		</Stack>
	);
}

interface TrailMenuProps {
	/** Head of the audit trail; empty if there is none. */
	head: string;
	save: ReturnType<typeof useSaveTrail>;
	onShowEvents: () => void;
}

/** Menu of less frequent actions on the audit trail, so that the list below has more room. */
function TrailMenu({ head, save, onShowEvents }: TrailMenuProps) {
	const { t } = useTranslation(["history", "common"]);
	const { copied, copy } = useClipboard();
	const Icon = copied ? IconCheck : IconCopy;
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<ActionIcon variant="default" loading={save.isPending} aria-label={t("trail.menu")}>
					<IconDots size={16} stroke={1.5} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				{/* The menu stays open to show that the head was copied. */}
				<Menu.Item
					closeMenuOnClick={false}
					disabled={head === ""}
					leftSection={<Icon size={16} aria-hidden />}
					onClick={() => copy(head)}
				>
					{copied ? t("common:action.copied") : t("trail.copyHead")}
				</Menu.Item>
				<Menu.Item leftSection={<IconList size={16} aria-hidden />} onClick={onShowEvents}>
					{t("trail.events.show")}
				</Menu.Item>
				<Menu.Divider />
				<Menu.Label>{t("trail.save.title")}</Menu.Label>
				<SaveTrailItems save={save} />
			</Menu.Dropdown>
		</Menu>
	);
}

type Kind = (typeof trailKinds)[number];

const isKind = (kind: string): kind is Kind => (trailKinds as readonly string[]).includes(kind);

interface TrailEventsProps {
	search: HistorySearch;
	opened: boolean;
	onClose: () => void;
}

/** Dialog with the events of the audit trail for the site and time of the search. */
export function TrailEvents({ search, opened, onClose }: TrailEventsProps) {
	const { t } = useTranslation("history");
	return (
		<DialogFrame opened={opened} onClose={onClose} size="xl" title={t("trail.events.title")}>
			{opened ? <Events search={search} /> : null}
		</DialogFrame>
	);
}

function Events({ search }: { search: HistorySearch }) {
	const { t } = useTranslation(["history", "common"]);
	const [kind, setKind] = useState<string | null>(null);
	const kinds = kind === null ? [] : [kind];
	const save = useSaveTrail(search, kinds);
	const found = useTrailEvents(search, kinds);
	const events = found.data?.pages.flatMap((page) => page.events) ?? [];
	return (
		<Stack gap="sm">
			<Group gap="xs">
				<Select
					clearable
					data-autofocus
					aria-label={t("trail.events.kind")}
					placeholder={t("trail.events.all")}
					data={trailKinds.map((one) => ({ value: one, label: t(`common:trailEvent.${one}`) }))}
					value={kind}
					onChange={setKind}
				/>
				<SaveTrail save={save} />
			</Group>
			<SaveStatus save={save} label={t("saved.path")} dismissed={t("saved.dismissed")} />
			<ProblemNotice problem={found.error} />
			{found.isPending ? <LoadingRows rows={6} /> : null}
			{found.data && events.length === 0 ? <Text size="sm">{t("trail.events.empty")}</Text> : null}
			{events.length > 0 ? (
				<WideTable
					label={t("trail.events.title")}
					head={
						<Heads
							of={[
								[t("trail.events.number"), { w: 80 }],
								[t("time"), { w: 130 }],
								t("trail.events.kind"),
								t("site"),
								t("who"),
								t("outcome"),
							]}
						/>
					}
				>
					{events.map((event) => (
						<Row key={event.entry} event={event} />
					))}
				</WideTable>
			) : null}
			{found.hasNextPage ? (
				<Group>
					<Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
						{t("trail.events.more")}
					</Button>
				</Group>
			) : null}
		</Stack>
	);
}

function Row({ event }: { event: TrailEvent }) {
	const { t } = useTranslation("common");
	const nameOf = useHistoryName();
	const undoOf = useNameOfRun();
	const targetOf = useTargetName();
	const key = [...operations.map((one) => one.key), ...historyActs].find((one) => one === event.operation);
	const named = (key: HistoryKey) =>
		event.isUndo && !isAct(key) ? undoOf({ operation: key, act: null, isUndo: true }) : nameOf(key);
	const outcome = outcomes.find((one) => one === event.outcome);
	return (
		<Table.Tr>
			<Table.Td>{formatNumber(event.entry)}</Table.Td>
			<Table.Td>{event.at === null ? null : <Time at={event.at} />}</Table.Td>
			<TwoLines
				main={isKind(event.kind) ? t(`trailEvent.${event.kind}`) : event.kind}
				second={key ? named(key) : event.operation}
			/>
			<TwoLines main={targetOf(event)} />
			<TwoLines main={event.who} />
			<Table.Td>{outcome ? t(`outcome.${outcome}`) : event.outcome}</Table.Td>
		</Table.Tr>
	);
}

const outcomes = ["succeeded", "warnings", "failed", "unknown", "notSent", "sent"] as const;
