import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { RequestPreview } from "@/components/request-preview";
import { NoList, SearchedList } from "@/components/searched-list";
import { ChangeButton } from "@/components/submit-form";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatDuration, useNow } from "@/lib/format";
import { matches } from "@/lib/matches";
import { useInvitations } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/runs";
import {
	Confirm,
	clockAhead,
	endOf,
	formOf,
	hour,
	keyOf,
	type Order,
	type Result,
	statusText,
	useAskRefresh,
} from "./confirm";
import { InvitationTable } from "./invitation-table";
import classes from "./selection-bar.module.css";

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

interface SelectionBarProps {
	site: SiteView;
	invitations: readonly InvitationView[];
	onClear: () => void;
	onOrder: (order: Order) => void;
}

/** Selected invitations with the submit button; stays in view below a long list. */
function SelectionBar({ site, invitations, onClear, onOrder }: SelectionBarProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = invitations.length;
	const [only] = invitations;
	const asking = useAskRefresh(site, invitations);
	const submit = () => {
		if (count > 1) onOrder({ kind: "batch", invitations });
		else if (only) onOrder({ kind: "one", form: formOf(only), invitation: only });
	};
	return (
		<>
			<Paper withBorder px="md" py="sm" className={classes.bar ?? ""} mod={{ picked: count > 0 }}>
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
