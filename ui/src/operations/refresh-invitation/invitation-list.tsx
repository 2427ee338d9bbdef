import { Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, SiteView } from "@/bridge";
import { NoList } from "@/components/no-list";
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
			{list.error ? <ProblemNotice problem={list.error} /> : null}
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
