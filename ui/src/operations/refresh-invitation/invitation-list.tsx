import { Button, Checkbox, Group, Paper, Stack, Table, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconClock, IconMail } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { RequestPreview } from "@/components/request-preview";
import { NoList, SearchedList } from "@/components/searched-list";
import { ChangeButton } from "@/components/submit-form";
import { Small } from "@/components/text";
import { GapRow, TwoLines, WideTable } from "@/components/wide-table";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatDuration, formatExactTime, formatNumber, formatTime, formatWeekday, useNow } from "@/lib/format";
import { matches } from "@/lib/matches";
import { useInvitations } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/runs";
import {
	Confirm,
	clockAhead,
	endOf,
	formOf,
	groupOf,
	hour,
	keyOf,
	type Order,
	type Result,
	statusText,
	type Urgency,
	useAskRefresh,
} from "./confirm";
import classes from "./invitation-table.module.css";
import selectionBar from "./selection-bar.module.css";

interface InvitationListProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	picked: ReadonlySet<string>;
	onPick: (keys: readonly string[], picked: boolean) => void;
	onPickNone: () => void;
	onByIdentifier: () => void;
}

const searchOf = draftKey<string>();

/** Invitations in the order of expiration. One or several are refreshed at once. */
export function InvitationList({ site, handle, picked, onPick, onPickNone, onByIdentifier }: InvitationListProps) {
	const { t } = useTranslation("refreshInvitation");
	const list = useInvitations(site.id);
	const [search, setSearch] = useSessionState(searchOf(site.id), "");
	const now = useNow(30_000);
	if (!list.data?.length) {
		return (
			<NoList
				list={list}
				icon={IconMail}
				title={t("empty")}
				refresh={t("refreshList")}
				other={t("toIdentifier")}
				onOther={onByIdentifier}
			>
				{t("emptyBody")}
			</NoList>
		);
	}
	const readAt = list.dataUpdatedAt;
	const ahead = clockAhead(list.data, readAt);
	const difference = aboutDuration(Math.abs(ahead));
	return (
		<Stack>
			<ProblemNotice problem={list.error} />
			<SearchedList
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refreshList")}
				list={list}
				items={soonestFirst(t, list.data, search, readAt)}
				pagesLabel={t("pages")}
				none={t("notFound", { search })}
				hint={ahead === 0 ? null : <Text c="dimmed">{t(ahead > 0 ? "clock" : "clockBehind", { difference })}</Text>}
			>
				{(shown) => (
					// `now` is updated at intervals, so the list can be newer.
					<InvitationTable
						invitations={shown}
						readAt={readAt}
						now={Math.max(now, readAt)}
						picked={picked}
						onPick={onPick}
					/>
				)}
			</SearchedList>
			<SelectionBar
				site={site}
				// In the order of the table, including those that the search hides.
				invitations={soonestFirst(t, list.data, "", readAt).filter((one) => picked.has(keyOf(one)))}
				onClear={onPickNone}
				onOrder={handle.start}
			/>
		</Stack>
	);
}

function soonestFirst(
	t: TFunction<"refreshInvitation">,
	all: readonly InvitationView[],
	search: string,
	readAt: Millis,
): readonly InvitationView[] {
	const end = (one: InvitationView) => endOf(one, readAt) ?? Number.POSITIVE_INFINITY;
	return all
		.filter((one) => matches(search, one.guestPortalUrl, one.collaborationName, statusText(t, one.status)))
		.sort((one, other) => (end(one) < end(other) ? -1 : end(one) > end(other) ? 1 : 0));
}

/** Returns a rounded duration: seconds are irrelevant when a clock is hours off. */
function aboutDuration(millis: number): string {
	const unit = millis < 2 * hour ? 60_000 : hour;
	return formatDuration(Math.round(millis / unit) * unit);
}

interface SelectionBarProps {
	site: SiteView;
	invitations: readonly InvitationView[];
	onClear: () => void;
	onOrder: (order: Order, reason: string) => void;
}

/** Selected invitations with the submit button; stays in view below a long list. */
function SelectionBar({ site, invitations, onClear, onOrder }: SelectionBarProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = invitations.length;
	const [only] = invitations;
	const asking = useAskRefresh(site, invitations);
	const submit = (reason: string) => {
		if (count > 1) onOrder({ kind: "batch", invitations }, reason);
		else if (only) onOrder({ kind: "one", form: formOf(only), invitation: only }, reason);
	};
	return (
		<>
			<Paper withBorder px="md" py="sm" className={selectionBar.bar ?? ""} mod={{ picked: count > 0 }}>
				<Group justify="space-between" gap="xs">
					<Text fw={600} role="status">
						{count === 0 ? t("pickFirst") : t("picked", { count })}
					</Text>
					<Group gap="xs">
						{count > 1 ? (
							<Button variant="subtle" onClick={onClear}>
								{t("clear")}
							</Button>
						) : null}
						<ChangeButton site={site} disabled={count === 0} loading={asking.isReading} onClick={asking.ask}>
							{count > 1 ? t("submitSeveral", { count }) : t("submit")}
						</ChangeButton>
					</Group>
				</Group>
				<Confirm
					opened={asking.isAsked}
					onClose={asking.close}
					site={site}
					invitations={invitations}
					onConfirm={submit}
				/>
			</Paper>
			{asking.news}
			{count > 0 ? (
				<Stack gap="xs" maw={pageWidths.form}>
					<Text>{t(count > 1 ? "explainSeveral" : "explain")}</Text>
					<Text c="dimmed">{t("permission")}</Text>
					<RequestPreview site={site} form={{ operation: "refresh_invitation", form: invitations.map(formOf) }} />
				</Stack>
			) : null}
		</>
	);
}

const signs: Record<Urgency, [typeof IconClock, string]> = {
	expired: [IconCircleX, "var(--tone-failed)"],
	day: [IconAlertTriangle, "var(--tone-warnings)"],
	three: [IconClock, "var(--mantine-color-dimmed)"],
	later: [IconClock, "var(--mantine-color-dimmed)"],
	unsaid: [IconClock, "var(--mantine-color-dimmed)"],
};

/** Expiration of an invitation: time, remaining time, and an icon for the urgency. */
export function Expiry({ end, now }: { end: Millis | null; now: Millis }) {
	const { t } = useTranslation("refreshInvitation");
	if (end === null) return <Text>{t("noExpiry")}</Text>;
	const [Icon, color] = signs[groupOf(end, now)];
	const near = Math.abs(end - now) < 6 * 24 * hour;
	return (
		<Tooltip label={formatExactTime(end)}>
			<Group gap="xs" wrap="nowrap" align="flex-start">
				<Icon size={16} color={color} aria-hidden style={{ marginBlockStart: 2 }} />
				<Text component="time" dateTime={new Date(end).toISOString()}>
					{near ? formatWeekday(end) : formatTime(end)}
					<Small span display="block">
						{t(end > now ? "in" : "since", { left: left(end, now) })}
					</Small>
				</Text>
			</Group>
		</Tooltip>
	);
}

/** Returns the distance to a time, for example "42 min" or "71 h": in hours, because the validity is 72 hours. */
function left(end: Millis, now: Millis): string {
	const away = Math.abs(end - now);
	if (away < hour) return formatDuration(Math.max(1, Math.round(away / 60_000)) * 60_000);
	return formatDuration(Math.round(away / hour) * hour);
}

interface InvitationTableProps {
	/** In the order of expiration. */
	invitations: readonly InvitationView[];
	/** Time at which the list was read. */
	readAt: Millis;
	now: Millis;
	picked: ReadonlySet<string>;
	onPick: (keys: readonly string[], picked: boolean) => void;
}

function InvitationTable({ invitations, readAt, now, picked, onPick }: InvitationTableProps) {
	const { t } = useTranslation("refreshInvitation");
	const { t: common } = useTranslation();
	const group = (one: InvitationView) => groupOf(endOf(one, readAt), now);
	return (
		<WideTable
			picks
			className={classes.board ?? ""}
			label={t("table")}
			head={
				<Table.Thead>
					<Table.Tr>
						<Table.Th w={44}>
							<VisuallyHidden>{t("choice")}</VisuallyHidden>
						</Table.Th>
						<Table.Th>{t("guest")}</Table.Th>
						<Table.Th w="18%">{t("status")}</Table.Th>
						<Table.Th w={190}>{t("expires")}</Table.Th>
					</Table.Tr>
				</Table.Thead>
			}
		>
			{invitations.map((one, at) => {
				const before = invitations[at - 1];
				const canBePicked = isPickable(one);
				// Unreadable invitations have no IDs.
				const key = one.invitationId === "" ? `${keyOf(one)}${at}` : keyOf(one);
				const isFirst = before === undefined || group(before) !== group(one);
				const elsewhere = one.hostedElsewhere;
				const pick = () => onPick([key], !picked.has(key));
				const head = isFirst ? (
					<Head
						group={group(one)}
						invitations={invitations.filter((other) => group(other) === group(one))}
						picked={picked}
						onPick={onPick}
					/>
				) : null;
				if (one.gap) {
					return (
						<Fragment key={key}>
							{head}
							<GapRow gap={one.gap} of={one.collaborationName} />
						</Fragment>
					);
				}
				return (
					<Fragment key={key}>
						{head}
						<Table.Tr
							// Rows that cannot be selected have no hover effect.
							{...(canBePicked ? { onClick: pick, style: { cursor: "pointer" } } : { c: "dimmed", bg: "transparent" })}
							{...(picked.has(key) ? { bg: "var(--chosen-ground)" } : {})}
						>
							<Table.Td onClick={(event) => event.stopPropagation()}>
								<Checkbox
									aria-label={t("pick", { guest: one.guestPortalUrl, collaboration: one.collaborationName })}
									checked={picked.has(key)}
									disabled={!canBePicked}
									aria-describedby={canBePicked ? undefined : reasonOf(key)}
									onChange={pick}
								/>
							</Table.Td>
							<TwoLines main={one.guestPortalUrl} second={one.collaborationName}>
								{canBePicked ? null : (
									<Text id={reasonOf(key)} size="xs">
										{elsewhere === null ? common("unreadableEntry") : t("hostedElsewhere", { portal: elsewhere })}
									</Text>
								)}
							</TwoLines>
							<Table.Td mod="anywhere">{statusText(t, one.status)}</Table.Td>
							<Table.Td>
								<Expiry end={endOf(one, readAt)} now={now} />
							</Table.Td>
						</Table.Tr>
					</Fragment>
				);
			})}
		</WideTable>
	);
}

interface HeadProps extends Pick<InvitationTableProps, "picked" | "onPick"> {
	group: Urgency;
	invitations: readonly InvitationView[];
}

function Head({ group, invitations, picked, onPick }: HeadProps) {
	const { t } = useTranslation("refreshInvitation");
	const name = t(`group.${group}`);
	const keys = invitations.filter(isPickable).map(keyOf);
	const some = keys.filter((key) => picked.has(key)).length;
	return (
		<Table.Tr bg="var(--head-ground)">
			<Table.Td>
				<Checkbox
					aria-label={t("pickGroup", { group: name })}
					checked={some > 0 && some === keys.length}
					disabled={keys.length === 0}
					indeterminate={some > 0 && some < keys.length}
					onChange={() => onPick(keys, some < keys.length)}
				/>
			</Table.Td>
			<Table.Th colSpan={3} scope="colgroup">
				{name}{" "}
				<Small span fw={400}>
					{formatNumber(invitations.length)}
				</Small>
			</Table.Th>
		</Table.Tr>
	);
}

function isPickable({ hostedElsewhere, invitationId }: InvitationView): boolean {
	return hostedElsewhere === null && invitationId !== "";
}

const reasonOf = (key: string) => `invitation-${key.replaceAll(" ", "-")}`;
