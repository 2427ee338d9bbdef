import { Box, Flex, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ParticipantView, SiteView } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { NoList, SearchedList } from "@/components/searched-list";
import type { SortOrder } from "@/components/wide-table";
import { draftKey, useSessionState } from "@/lib/drafts";
import { matches } from "@/lib/matches";
import { useParticipants } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/runs";
import { ContactForm } from "./contact-form";
import { nameOf, type Order, type Result } from "./difference";
import { type Column, keyOf, ParticipantTable } from "./participant-table";

interface ParticipantListProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	/** Participant as it was listed when it was selected. The list might have changed since. */
	picked: ParticipantView | null;
	onPick: (participant: ParticipantView) => void;
	onByIdentifier: () => void;
}

const searchOf = draftKey<string>();
const orderOf = draftKey<SortOrder<Column> | null>();

/** Participants of all collaborations, and the contact of the selected one. */
export function ParticipantList({ site, handle, picked, onPick, onByIdentifier }: ParticipantListProps) {
	const { t } = useTranslation("updateParticipant");
	const list = useParticipants(site.id);
	const [search, setSearch] = useSessionState(searchOf(site.id), "");
	const [order, setOrder] = useSessionState(orderOf(site.id), null);
	const all = list.data ?? [];
	const listed = all.find((one) => picked !== null && keyOf(one) === keyOf(picked));
	const shown =
		all.length > 0 ? (
			<SearchedList
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refresh")}
				list={list}
				items={arranged(all, search, order)}
				pagesLabel={t("pages")}
				none={t("notFound", { search })}
			>
				{(participants) => (
					<ParticipantTable
						participants={participants}
						all={all}
						picked={picked}
						onPick={onPick}
						order={order}
						onOrder={setOrder}
					/>
				)}
			</SearchedList>
		) : (
			<NoList
				list={list}
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
	if (picked === null && all.length === 0) return shown;
	return (
		<Stack>
			{all.length > 0 && list.error ? <ProblemNotice problem={list.error} /> : null}
			<Flex gap="lg" wrap="wrap" align="flex-start">
				<Box flex="3 1 480px" miw={0}>
					{shown}
				</Box>
				<Beside shown={picked && keyOf(picked)}>
					{picked === null ? (
						<Text c="dimmed">{t("pickFirst")}</Text>
					) : (
						<ContactForm
							key={keyOf(picked)}
							site={site}
							participant={listed ?? picked}
							listed={listed !== undefined || !list.data}
							handle={handle}
						/>
					)}
				</Beside>
			</Flex>
		</Stack>
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

/**
 * Content beside the list, or below it if there is no room; then it scrolls into view when a participant is selected.
 */
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
