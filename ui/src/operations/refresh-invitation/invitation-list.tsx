import { Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, SiteId, SiteView } from "@/bridge";
import { NoList } from "@/components/no-list";
import { usePages } from "@/components/pages";
import { ProblemNotice } from "@/components/problem-notice";
import { SearchedList } from "@/components/searched-list";
import { draftKey } from "@/lib/drafts";
import { formatDuration } from "@/lib/format";
import { matches } from "@/lib/matches";
import { useInvitations } from "@/lib/queries/site";
import { useNow } from "@/lib/use-now";
import type { OperationHandle } from "@/lib/use-operation";
import { useSessionState } from "@/lib/use-session-state";
import { clockAhead, endOf, hour } from "./expiry";
import { InvitationTable } from "./invitation-table";
import { keyOf, type Order, type Result } from "./order";
import { SelectionBar } from "./selection-bar";
import { statusText } from "./status-text";

interface InvitationListProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	picked: ReadonlySet<string>;
	onPick: (keys: readonly string[], picked: boolean) => void;
	onPickNone: () => void;
	onByIdentifier: () => void;
}

/** Invitations in the order of expiration. One or several are refreshed at once. */
export function InvitationList({ site, handle, picked, onPick, onPickNone, onByIdentifier }: InvitationListProps) {
	const { t } = useTranslation("refreshInvitation");
	const invitations = useInvitations(site.id);
	const now = useNow(30_000);
	if (!invitations.data?.length) {
		return (
			<NoList
				list={invitations}
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
	const readAt = invitations.dataUpdatedAt;
	return (
		<Stack>
			{invitations.error ? <ProblemNotice problem={invitations.error} /> : null}
			<Choice
				site={site.id}
				all={invitations.data}
				readAt={readAt}
				// `now` is updated at intervals, so the list can be newer.
				now={Math.max(now, readAt)}
				picked={picked}
				onPick={onPick}
				refreshing={invitations.isFetching}
				onRefresh={() => void invitations.refetch()}
			/>
			<SelectionBar
				site={site}
				// In the order of the table, including those that the search hides.
				invitations={soonestFirst(t, invitations.data, "", readAt).filter((one) => picked.has(keyOf(one)))}
				onClear={onPickNone}
				onOrder={handle.start}
			/>
		</Stack>
	);
}

const searchOf = draftKey<string>();

interface ChoiceProps extends Pick<InvitationListProps, "picked" | "onPick"> {
	site: SiteId;
	all: readonly InvitationView[];
	readAt: Millis;
	now: Millis;
	refreshing: boolean;
	onRefresh: () => void;
}

function Choice({ site, all, readAt, now, picked, onPick, refreshing, onRefresh }: ChoiceProps) {
	const { t } = useTranslation("refreshInvitation");
	const [search, setSearch] = useSessionState(searchOf(site), "");
	const pages = usePages(soonestFirst(t, all, search, readAt));
	const ahead = clockAhead(all, readAt);
	return (
		<SearchedList
			label={t("search")}
			search={search}
			onSearch={setSearch}
			refresh={t("refreshList")}
			refreshing={refreshing}
			onRefresh={onRefresh}
			pages={pages}
			pagesLabel={t("pages")}
			none={t("notFound", { search })}
			hint={
				ahead === 0 ? null : (
					<Text c="dimmed">
						{t(ahead > 0 ? "clock" : "clockBehind", { difference: aboutDuration(Math.abs(ahead)) })}
					</Text>
				)
			}
		>
			<InvitationTable invitations={pages.shown} readAt={readAt} now={now} picked={picked} onPick={onPick} />
		</SearchedList>
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
