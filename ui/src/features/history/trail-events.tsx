import { Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type HistoryKey, type HistorySearch, operations, type TrailEvent, trailKinds } from "@/bridge";
import { DialogFrame } from "@/components/dialog";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { SaveStatus } from "@/components/saved-file";
import { Time } from "@/components/text";
import { Heads, TwoLines, WideTable } from "@/components/wide-table";
import { formatNumber } from "@/lib/format";
import { historyActs, isAct, useHistoryName, useNameOfRun } from "@/lib/history-text";
import { useTrailEvents } from "@/lib/queries/history-pages";
import { useTargetName } from "@/lib/target";
import { SaveTrail, useSaveTrail } from "./save-trail";

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
			{found.error ? <ProblemNotice problem={found.error} /> : null}
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
