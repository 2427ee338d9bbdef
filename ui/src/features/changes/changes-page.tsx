import { Button, Group, Select, Stack, Text, Title } from "@mantine/core";
import { IconArrowsDiff, IconCamera } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ComparisonView, Kind, SiteView, SnapshotId, SnapshotsView } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { HelpLink } from "@/components/help-link";
import { LoadingRows } from "@/components/loading-rows";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { SearchField } from "@/components/search-field";
import { formatList, formatNumber, formatTime } from "@/lib/format";
import { matches } from "@/lib/matches";
import { type SnapshotPair, useComparedSnapshots, useSnapshots } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { Differences } from "./differences";
import { NotCompared } from "./not-compared";
import { SaveChanges } from "./save-changes";
import { VolatileFields } from "./volatile-fields";

/** What differs between two snapshots of a site. */
export function ChangesPage({ site }: { site: SiteView }) {
	const { t } = useTranslation("changes");
	const all = useSnapshots(site.id);
	const [chosen, choose] = useState<Partial<SnapshotPair>>({});
	const take = useCommand(
		(backend) => backend.takeSnapshot(site.id),
		(stale) => stale("takeSnapshot", site.id),
	);
	const stop = useCommand(
		(backend) => backend.stopSnapshot(site.id),
		(stale) => stale("stopSnapshot", site.id),
	);
	const taken = all.data?.snapshots.filter(({ failure }) => failure === "") ?? [];
	const to = chosen.to ?? taken[0]?.id;
	const from = chosen.from ?? taken.find(({ id }) => to !== undefined && id < to)?.id;
	const pair = from === undefined || to === undefined ? null : { from, to };
	const isTaking = take.isPending || (all.data?.isTaking ?? false);
	const [last] = all.data?.snapshots ?? [];
	const takeButton = (
		<Button leftSection={<IconCamera size={16} aria-hidden />} loading={isTaking} onClick={() => take.mutate()}>
			{t("take")}
		</Button>
	);
	return (
		<Page
			title={t("title")}
			description={t("description")}
			width="wide"
			actions={
				<>
					{takeButton}
					{isTaking ? <Button onClick={() => stop.mutate()}>{t("stop")}</Button> : null}
					{pair ? <SaveChanges site={site} pair={pair} /> : null}
					<HelpLink topic="changes" about={t("title")} />
				</>
			}
		>
			{take.error ? <ProblemNotice problem={take.error} site={site} /> : null}
			{stop.error ? <ProblemNotice problem={stop.error} /> : null}
			{all.error ? <ProblemNotice problem={all.error} onRetry={() => void all.refetch()} /> : null}
			{last && last.failure !== "" ? (
				<Notice tone="warnings" title={t("notTaken", { at: formatTime(last.at) })}>
					<Text>{last.failure}</Text>
				</Notice>
			) : null}
			{all.isLoading ? <LoadingRows height={48} /> : null}
			{all.data && taken.length < 2 ? (
				<EmptyState icon={IconArrowsDiff} title={t(taken.length === 0 ? "none.title" : "one.title")}>
					{t(taken.length === 0 ? "none.body" : "one.body")}
				</EmptyState>
			) : null}
			{all.data && pair ? (
				<Comparison site={site} all={all.data} pair={pair} onChoose={(part) => choose({ ...pair, ...part })} />
			) : null}
		</Page>
	);
}

interface ComparisonProps {
	site: SiteView;
	all: SnapshotsView;
	pair: SnapshotPair;
	onChoose: (part: Partial<SnapshotPair>) => void;
}

function Comparison({ site, all, pair, onChoose }: ComparisonProps) {
	const { t } = useTranslation("changes");
	const compared = useComparedSnapshots(site.id, pair);
	const [words, search] = useState("");
	const [kind, filter] = useState<Kind | null>(null);
	const taken = all.snapshots.filter(({ failure }) => failure === "");
	const options = (fits: (id: SnapshotId) => boolean) =>
		taken.filter(({ id }) => fits(id)).map(({ id, at }) => ({ value: String(id), label: formatTime(at) }));
	const kinds = [...new Set(compared.data?.differences.map(({ key }) => key.kind))];
	const found = compared.data?.differences.filter(
		({ key, server, first }) =>
			(kind === null || key.kind === kind) && matches(words, [key.name, server ?? "", first?.field ?? ""].join(" ")),
	);
	return (
		<Stack gap="sm">
			<Group gap="xs">
				<Select
					w={196}
					size="xs"
					aria-label={t("from")}
					allowDeselect={false}
					data={options((id) => id < pair.to)}
					value={String(pair.from)}
					onChange={(id) => onChoose({ from: Number(id) })}
				/>
				<Text size="xs" c="dimmed">
					{t("to")}
				</Text>
				<Select
					w={196}
					size="xs"
					aria-label={t("until")}
					allowDeselect={false}
					data={options((id) => id > pair.from)}
					value={String(pair.to)}
					onChange={(id) => onChoose({ to: Number(id) })}
				/>
				<SearchField
					size="xs"
					flex="1 1 140px"
					aria-label={t("search")}
					placeholder={t("search")}
					value={words}
					onChange={search}
				/>
				<Select
					w={160}
					size="xs"
					aria-label={t("kind")}
					placeholder={t("allKinds")}
					clearable
					data={kinds.map((one) => ({ value: one, label: t(`kinds.${one}`) }))}
					value={kind}
					onChange={(one) => filter(one as Kind | null)}
				/>
			</Group>
			{compared.isLoading ? <LoadingRows height={48} /> : null}
			{compared.error ? <ProblemNotice problem={compared.error} onRetry={() => void compared.refetch()} /> : null}
			{compared.data && found ? (
				<>
					<Headline comparison={compared.data} />
					<NotCompared gaps={compared.data.notCompared} />
					<Differences
						key={`${pair.from} ${pair.to}`}
						site={site}
						pair={pair}
						times={{ from: timeOf(all, pair.from), to: timeOf(all, pair.to) }}
						comparison={compared.data}
						found={found}
					/>
					<Equal comparison={compared.data} />
				</>
			) : null}
			<VolatileFields site={site} fields={all.volatile} />
		</Stack>
	);
}

const timeOf = ({ snapshots }: SnapshotsView, wanted: SnapshotId): string =>
	formatTime(snapshots.find(({ id }) => id === wanted)?.at ?? 0);

/** Counts what is not accepted, and names what was not compared. */
function Headline({ comparison: { differences, notCompared } }: { comparison: ComparisonView }) {
	const { t } = useTranslation("changes");
	const open = differences.filter(({ accepted }) => accepted === null);
	const kinds = [...new Set(notCompared.map(({ resourceKind }) => resourceKind))].map((kind) => t(`kinds.${kind}`));
	const counted = { count: open.length, formatted: formatNumber(open.length) };
	return (
		<Title order={2} size="h3">
			{kinds.length === 0
				? t("headline.changes", counted)
				: t("headline.incomplete", { ...counted, kinds: formatList(kinds) })}
		</Title>
	);
}

function Equal({ comparison: { equal, unknownSecrets } }: { comparison: ComparisonView }) {
	const { t } = useTranslation("changes");
	const counts = equal.map(({ resourceKind, count }) =>
		t("equalKind", { kind: t(`kinds.${resourceKind}`), count, formatted: formatNumber(count) }),
	);
	return (
		<Text size="xs" c="dimmed">
			{counts.length === 0 ? t("noneEqual") : t("equal", { kinds: formatList(counts) })}
			{unknownSecrets === 0
				? null
				: ` ${t("unknownSecrets", { count: unknownSecrets, formatted: formatNumber(unknownSecrets) })}`}
		</Text>
	);
}
