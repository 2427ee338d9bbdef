import { Box, Flex, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ParticipantView, SiteId, SiteView } from "@/bridge";
import { NoList } from "@/components/no-list";
import { usePages } from "@/components/pages";
import { ProblemNotice } from "@/components/problem-notice";
import { SearchedList } from "@/components/searched-list";
import type { SortOrder } from "@/components/sort-header";
import { draftKey } from "@/lib/drafts";
import { matches } from "@/lib/matches";
import { useParticipants } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/use-operation";
import { useSessionState } from "@/lib/use-session-state";
import { ContactForm } from "./contact-form";
import { nameOf, type Order, type Result } from "./order";
import { type Column, keyOf, ParticipantTable } from "./participant-table";

interface ParticipantListProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	/** Participant as it was listed when it was selected. The list might have changed since. */
	picked: ParticipantView | null;
	onPick: (participant: ParticipantView) => void;
	onByIdentifier: () => void;
}

/** Participants of all collaborations, and the contact of the selected one. */
export function ParticipantList({ site, handle, picked, onPick, onByIdentifier }: ParticipantListProps) {
	const { t } = useTranslation("updateParticipant");
	const participants = useParticipants(site.id);
	const listed = participants.data?.find((one) => picked !== null && keyOf(one) === keyOf(picked));
	const list = participants.data?.length ? (
		<Choice
			site={site.id}
			all={participants.data}
			picked={picked}
			onPick={onPick}
			refreshing={participants.isFetching}
			onRefresh={() => void participants.refetch()}
		/>
	) : (
		<NoList
			list={participants}
			icon={IconUsers}
			title={t("empty")}
			refresh={t("refresh")}
			other={t("toIdentifier")}
			onOther={onByIdentifier}
		>
			{t("emptyBody")}
		</NoList>
	);
	// Keeps the input even if the portal no longer lists the participant.
	if (picked === null && !participants.data?.length) return list;
	return (
		<Stack>
			{participants.data?.length && participants.error ? <ProblemNotice problem={participants.error} /> : null}
			<Flex gap="lg" wrap="wrap" align="flex-start">
				<Box flex="3 1 480px" miw={0}>
					{list}
				</Box>
				<Beside shown={picked && keyOf(picked)}>
					{picked === null ? (
						<Text c="dimmed">{t("pickFirst")}</Text>
					) : (
						<ContactForm
							key={keyOf(picked)}
							site={site}
							participant={listed ?? picked}
							listed={listed !== undefined || !participants.data}
							handle={handle}
						/>
					)}
				</Beside>
			</Flex>
		</Stack>
	);
}

const searchOf = draftKey<string>();
const orderOf = draftKey<SortOrder<Column> | null>();

interface ChoiceProps {
	site: SiteId;
	all: readonly ParticipantView[];
	picked: ParticipantView | null;
	onPick: (participant: ParticipantView) => void;
	refreshing: boolean;
	onRefresh: () => void;
}

function Choice({ site, all, picked, onPick, refreshing, onRefresh }: ChoiceProps) {
	const { t } = useTranslation("updateParticipant");
	const [search, setSearch] = useSessionState(searchOf(site), "");
	const [order, setOrder] = useSessionState(orderOf(site), null);
	const pages = usePages(arranged(all, search, order));
	return (
		<SearchedList
			label={t("search")}
			search={search}
			onSearch={setSearch}
			refresh={t("refresh")}
			refreshing={refreshing}
			onRefresh={onRefresh}
			pages={pages}
			pagesLabel={t("pages")}
			none={t("notFound", { search })}
		>
			<ParticipantTable
				participants={pages.shown}
				all={all}
				picked={picked}
				onPick={onPick}
				order={order}
				onOrder={setOrder}
			/>
		</SearchedList>
	);
}

/** Filters and sorts participants within their collaborations, which keep the order of the portal. */
function arranged(
	all: readonly ParticipantView[],
	search: string,
	order: SortOrder<Column> | null,
): readonly ParticipantView[] {
	const collaborations = [...new Set(all.map(({ collaborationId }) => collaborationId))];
	const by = (one: ParticipantView) => (order?.column === "contact" ? nameOf(one) : one.portalName);
	const found = all.filter((one) => {
		const { portalName, portalUrl, collaborationName, role, contactEmailAddress } = one;
		return matches(search, portalName, portalUrl, collaborationName, role, nameOf(one), contactEmailAddress);
	});
	return found.sort((one, other) => {
		const apart = collaborations.indexOf(one.collaborationId) - collaborations.indexOf(other.collaborationId);
		if (apart !== 0 || order === null) return apart;
		return by(one).localeCompare(by(other), undefined, { numeric: true }) * (order.descending ? -1 : 1);
	});
}

/** Beside the list if there is room, otherwise below it. Then it scrolls into view when a participant is selected. */
function Beside({ shown, children }: { shown: string | null; children: ReactNode }) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (shown !== null) ref.current?.scrollIntoView({ block: "nearest" });
	}, [shown]);
	return (
		<Box ref={ref} flex="1 1 320px" miw={0} pos="sticky" top={16}>
			{children}
		</Box>
	);
}
