import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, SiteView } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { ListTools, RefreshList } from "@/components/list-tools";
import { LoadingRows } from "@/components/loading-rows";
import { Pages, usePages } from "@/components/pages";
import { ProblemNotice } from "@/components/problem-notice";
import { formatDuration } from "@/lib/format";
import { useInvitations } from "@/lib/queries";
import { useNow } from "@/lib/use-now";
import type { OperationHandle } from "@/lib/use-operation";
import { Board } from "./board";
import { clockAhead, endOf, hour } from "./expiry";
import { keyOf, type Order, type Result } from "./order";
import { PickedBar } from "./picked-bar";
import { statusWords } from "./status-words";

interface InvitationListProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	picked: ReadonlySet<string>;
	onPick: (keys: readonly string[], picked: boolean) => void;
	onPickNone: () => void;
	/** The way for a portal that lists nothing. */
	onByIdentifier: () => void;
}

/** The 72-hour board: every invitation, by what runs out first; one or several are refreshed at once. */
export function InvitationList({ site, handle, picked, onPick, onPickNone, onByIdentifier }: InvitationListProps) {
	const { t } = useTranslation("refreshInvitation");
	const invitations = useInvitations(site.id);
	const now = useNow(30_000);
	const byIdentifier = (
		<Button variant="default" onClick={onByIdentifier}>
			{t("toIdentifier")}
		</Button>
	);
	if (invitations.isPending) return <LoadingRows rows={5} />;
	if (invitations.error && !invitations.data) {
		return (
			<Stack align="flex-start">
				<Box w="100%">
					<ProblemNotice problem={invitations.error} onRetry={() => void invitations.refetch()} />
				</Box>
				{byIdentifier}
			</Stack>
		);
	}
	if (invitations.data.length === 0) {
		return (
			<Stack>
				{invitations.error ? <ProblemNotice problem={invitations.error} /> : null}
				<EmptyState
					icon={IconMail}
					title={t("empty")}
					action={
						<Group gap="xs" justify="center">
							{byIdentifier}
							<RefreshList
								refresh={t("refreshList")}
								refreshing={invitations.isFetching}
								onRefresh={() => void invitations.refetch()}
							/>
						</Group>
					}
				>
					{t("emptyBody")}
				</EmptyState>
			</Stack>
		);
	}
	const readAt = invitations.dataUpdatedAt;
	return (
		<Stack>
			{invitations.error ? <ProblemNotice problem={invitations.error} /> : null}
			<Choice
				all={invitations.data}
				readAt={readAt}
				// The list may be younger than the last tick of the clock.
				now={Math.max(now, readAt)}
				picked={picked}
				onPick={onPick}
				refreshing={invitations.isFetching}
				onRefresh={() => void invitations.refetch()}
			/>
			<PickedBar
				site={site}
				invitations={invitations.data.filter((one) => picked.has(keyOf(one)))}
				onClear={onPickNone}
				onOrder={handle.start}
			/>
		</Stack>
	);
}

interface ChoiceProps extends Pick<InvitationListProps, "picked" | "onPick"> {
	all: readonly InvitationView[];
	readAt: Millis;
	now: Millis;
	refreshing: boolean;
	onRefresh: () => void;
}

function Choice({ all, readAt, now, picked, onPick, refreshing, onRefresh }: ChoiceProps) {
	const { t } = useTranslation("refreshInvitation");
	const [search, setSearch] = useState("");
	const pages = usePages(soonestFirst(t, all, search, readAt));
	const ahead = clockAhead(all, readAt);
	return (
		<Stack gap="xs">
			<ListTools
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refreshList")}
				refreshing={refreshing}
				onRefresh={onRefresh}
			/>
			{ahead === 0 ? null : (
				<Text size="sm" c="dimmed">
					{t(ahead > 0 ? "clock" : "clockBehind", { difference: aboutDuration(Math.abs(ahead)) })}
				</Text>
			)}
			{pages.total === 0 ? (
				<Text c="dimmed" size="sm" role="status" py="md" ta="center">
					{t("notFound", { search })}
				</Text>
			) : (
				<Board invitations={pages.shown} readAt={readAt} now={now} picked={picked} onPick={onPick} />
			)}
			<Pages handle={pages} label={t("pages")} />
		</Stack>
	);
}

function soonestFirst(
	t: TFunction<"refreshInvitation">,
	all: readonly InvitationView[],
	search: string,
	readAt: Millis,
): readonly InvitationView[] {
	const words = search.trim().toLowerCase().split(/\s+/);
	const end = (one: InvitationView) => endOf(one, readAt) ?? Number.POSITIVE_INFINITY;
	return all
		.filter((one) => {
			const whole = `${one.guestPortalUrl} ${one.collaborationName} ${statusWords(t, one.status)}`.toLowerCase();
			return words.every((word) => whole.includes(word));
		})
		.sort((one, other) => (end(one) < end(other) ? -1 : end(one) > end(other) ? 1 : 0));
}

/** Nobody wants the seconds of a clock that is hours away. */
function aboutDuration(millis: number): string {
	const unit = millis < 2 * hour ? 60_000 : hour;
	return formatDuration(Math.round(millis / unit) * unit);
}
