import { ActionIcon, Code, Group, Select, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	Change,
	Compared,
	ComparisonView,
	DifferenceView,
	Kind,
	NotComparedView,
	SiteView,
	Substitution,
	SubstitutionView,
} from "@/bridge";
import { Board, FactCell } from "@/components/board";
import { Foldable } from "@/components/foldable";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { SearchField } from "@/components/path-field";
import { SubmitForm } from "@/components/submit-form";
import { IconButton, LinkButton, Small } from "@/components/text";
import { useFormFaults } from "@/lib/drafts";
import { formatList, formatNumber, formatTime } from "@/lib/format";
import { matches } from "@/lib/matches";
import { useComparison } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { joined } from "@/messages/isolated";
import type { Titles } from "./difference-row";
import { DifferenceTable } from "./difference-table";

interface ComparisonProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	/** Fields that choose the snapshots. */
	choice: ReactNode;
}

/** Differences between two snapshots, with a search. */
export function Comparison({ site, compared, titles, choice }: ComparisonProps) {
	const { t } = useTranslation(["changes", "common"]);
	const read = useComparison(compared);
	const [words, search] = useState("");
	const [kind, filter] = useState<Kind | null>(null);
	const kinds = [...new Set(read.data?.differences.map(({ key }) => key.kind))];
	const found = read.data?.differences.filter(
		({ key, server, first }) =>
			(kind === null || key.kind === kind) && matches(words, [key.name, server ?? "", first?.field ?? ""].join(" ")),
	);
	return (
		<Stack gap="sm">
			<Group gap="xs">
				{choice}
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
					data={kinds.map((one) => ({ value: one, label: t(`common:changesFile.kinds.${one}`) }))}
					value={kind}
					onChange={(one) => filter(one as Kind | null)}
				/>
			</Group>
			{read.isLoading ? <LoadingRows height={48} /> : null}
			<ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
			{read.data && read.data.changed.length > 0 ? <WasChanged at={read.data.changed} /> : null}
			{read.data && found && read.data.changed.length === 0 ? (
				<>
					<Headline comparison={read.data} sides={titles.sides} />
					<NotRecorded at={read.data.notRecorded} />
					<NotCompared gaps={read.data.notCompared} />
					<Differences
						key={JSON.stringify(compared)}
						site={site}
						compared={compared}
						titles={titles}
						comparison={read.data}
						found={found}
					/>
					<Equal comparison={read.data} />
					{titles.sides === null ? null : (
						<Substitutions site={site} compared={compared} sides={titles.sides} all={read.data.substitutions} />
					)}
				</>
			) : null}
		</Stack>
	);
}

/** Kinds of changes in the order of the headline, each with the only side that has the resource; `null` for both. */
const inHeadline = { differs: null, missing: "left", added: "right" } as const;

/** Counts that are named in the headline; the rest is one number. */
const mostCounts = 5;

/** Counts what is not accepted, kind by kind, and names what was not compared. */
function Headline({ comparison, sides }: { comparison: ComparisonView; sides: Titles["sides"] }) {
	const { t } = useTranslation(["changes", "common"]);
	const open = comparison.differences.filter(({ accepted }) => accepted === null);
	const kinds = [...new Set(open.map(({ key }) => key.kind))];
	const counts = kinds.flatMap((kind) =>
		(Object.keys(inHeadline) as Change[])
			.map((change) => ({ change, count: open.filter((one) => one.key.kind === kind && one.change === change).length }))
			.filter(({ count }) => count > 0)
			.map(({ change, count }, place) => {
				// The kind is named once.
				const what = place === 0 ? t(`headline.counted.${kind}`, { count }) : formatNumber(count);
				const side = inHeadline[change];
				const isOnly = sides !== null && side !== null;
				const text = isOnly
					? t("headline.onlyOn", { count, what, site: sides[side] })
					: t(`headline.${change}`, { count, what });
				return { count, text };
			}),
	);
	const more = counts.slice(mostCounts).reduce((sum, { count }) => sum + count, 0);
	const said = counts.slice(0, mostCounts).map(({ text }) => text);
	if (more > 0) said.push(t("headline.more", { count: more }));
	const changes = said.length === 0 ? t("headline.none") : joined(said, ", ");
	const missing = [...new Set(comparison.notCompared.map(({ resourceKind }) => resourceKind))].map((kind) =>
		t(`common:changesFile.kinds.${kind}`),
	);
	return (
		<Title order={2} size="h3">
			{missing.length === 0 ? changes : t("headline.incomplete", { changes, kinds: formatList(missing) })}
		</Title>
	);
}

const timesOf = (at: readonly number[]) => ({ at: formatList(at.map(formatTime)), count: at.length });

/** Reports that a stored snapshot was changed after it was taken. Nothing is compared with it. */
function WasChanged({ at }: { at: readonly number[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "wasChanged" });
	return (
		<>
			<Title order={2} size="h3">
				{t("headline", timesOf(at))}
			</Title>
			<Notice text={t("body")} tone="failed" title={t("title")} />
		</>
	);
}

/** Reports snapshots without an entry in the audit trail: whether they were changed since is unknown. */
function NotRecorded({ at }: { at: readonly number[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "notRecorded" });
	if (at.length === 0) return null;
	return <Notice text={t("body")} tone="warnings" title={t("title", timesOf(at))} />;
}

function Equal({ comparison: { equal, unknownSecrets, ownValues, isBetween } }: { comparison: ComparisonView }) {
	const { t } = useTranslation(["changes", "common"]);
	const counts = equal.map(({ resourceKind, count }) =>
		t("equalKind", { kind: t(`common:changesFile.kinds.${resourceKind}`), count }),
	);
	const said = [
		counts.length === 0 ? t("noneEqual") : t("equal", { kinds: formatList(counts) }),
		unknownSecrets === 0 ? "" : t(isBetween ? "secretsOfTwo" : "unknownSecrets", { count: unknownSecrets }),
		ownValues === 0 ? "" : t("ownValues", { count: ownValues }),
	];
	return <Small>{said.filter(Boolean).join(" ")}</Small>;
}

/** Largest number of parts that were not read and are shown; the rest is collapsed. */
const most = 3;

/** Parts that were not read and might therefore differ, with the reasons. */
function NotCompared({ gaps }: { gaps: readonly NotComparedView[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "notCompared" });
	if (gaps.length === 0) return null;
	const more = gaps.slice(most);
	return (
		<Notice tone="warnings" title={t("title")}>
			<Gaps gaps={gaps.slice(0, most)} />
			{more.length === 0 ? null : (
				<Foldable title={t("more", { count: more.length })}>
					<Gaps gaps={more} />
				</Foldable>
			)}
		</Notice>
	);
}

function Gaps({ gaps }: { gaps: readonly NotComparedView[] }) {
	const { t } = useTranslation(["changes", "common"]);
	return (
		<Stack gap={4}>
			{gaps.map(({ resourceKind, server, name, reason }) => (
				<Text key={`${resourceKind} ${server} ${name} ${reason}`} mod="anywhere">
					{t("notCompared.one", {
						what: [t(`common:changesFile.kinds.${resourceKind}`), name].filter(Boolean).join(" "),
						where: server ?? t("portal"),
						reason,
					})}
				</Text>
			))}
		</Stack>
	);
}

interface DifferencesProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	comparison: ComparisonView;
	/** Differences that match the search. */
	found: readonly DifferenceView[];
}

/** Differences by kind, the worst first. Accepted ones are shown on demand. */
function Differences({ site, compared, titles, comparison, found }: DifferencesProps) {
	const { t } = useTranslation("changes");
	const [withAccepted, show] = useState(false);
	const accepted = comparison.differences.filter((one) => one.accepted !== null).length;
	const shown = withAccepted ? found : found.filter((one) => one.accepted === null);
	return (
		<>
			{accepted === 0 ? null : (
				<Group gap={4}>
					<Small>{t("accepted", { count: accepted })}</Small>
					<LinkButton size="xs" onClick={() => show(!withAccepted)}>
						{t(withAccepted ? "hideAccepted" : "showAccepted")}
					</LinkButton>
				</Group>
			)}
			{shown.length === 0 ? (
				<Text c="dimmed" role="status">
					{t(found.length < comparison.differences.length ? "noMatch" : "noChange")}
				</Text>
			) : (
				<DifferenceTable
					site={site}
					compared={compared}
					titles={titles}
					shown={shown}
					isHistoryKnown={comparison.isHistoryKnown}
				/>
			)}
		</>
	);
}

interface SubstitutionsProps {
	site: SiteView;
	compared: Compared;
	sides: { left: string; right: string };
	all: readonly SubstitutionView[];
}

/**
 * Substitutions: texts that count as equal between two sites or servers, each with the number of values it makes equal.
 */
function Substitutions({ site, compared, sides, all }: SubstitutionsProps) {
	const { t } = useTranslation("changes", { keyPrefix: "substitutions" });
	const form = useForm({ initialValues: { left: "", right: "" } });
	const save = useCommand(
		(backend, pairs: Substitution[]) => backend.saveSubstitutions(compared, pairs),
		["saveSubstitutions", site.id],
		{ onDone: () => form.reset() },
	);
	const refused = useFormFaults(save.error, form);
	const pairs = all.map(({ pair }) => pair);
	const heads = [t("on", { site: sides.left }), t("on", { site: sides.right }), t("makes"), ""];
	return (
		<Stack gap="xs" component="section" aria-label={t("title")}>
			<Group justify="space-between">
				<Title order={2} size="h3">
					{t("title")}
				</Title>
				<Small>{t("hint", sides)}</Small>
			</Group>
			{all.length === 0 ? (
				<Text c="dimmed">{t("none")}</Text>
			) : (
				<Board label={t("title")} heads={heads}>
					{all.map((one) => (
						<Table.Tr key={one.pair.left}>
							<FactCell head={heads[0] ?? ""} fact={<Code>{one.pair.left}</Code>} />
							<FactCell head={heads[1] ?? ""} fact={<Code>{one.pair.right}</Code>} />
							<Made head={heads[2] ?? ""} one={one} />
							<Table.Td>
								<ActionIcon
									variant="subtle"
									disabled={save.isPending}
									aria-label={t("remove", { text: one.pair.left })}
									onClick={() => save.mutate(pairs.filter((pair) => pair !== one.pair))}
								>
									<IconX size={16} aria-hidden />
								</ActionIcon>
							</Table.Td>
						</Table.Tr>
					))}
				</Board>
			)}
			<SubmitForm onSubmit={form.onSubmit((pair) => save.mutate([...pairs, pair]))}>
				<Group gap="xs" align="flex-end">
					<TextInput size="xs" w={260} label={heads[0]} autoComplete="off" {...form.getInputProps("left")} />
					<TextInput size="xs" w={260} label={heads[1]} autoComplete="off" {...form.getInputProps("right")} />
					<IconButton label={t("add")} type="submit" loading={save.isPending} icon={IconPlus} />
				</Group>
				<ProblemNotice problem={refused} />
			</SubmitForm>
		</Stack>
	);
}

function Made({ head, one: { values, who, at } }: { head: string; one: SubstitutionView }) {
	const { t } = useTranslation("changes", { keyPrefix: "substitutions" });
	const source = at === null ? t("proposed") : t("added", { who, at: formatTime(at) });
	return (
		<FactCell
			head={head}
			below={source}
			fact={
				values === 0 ? (
					<Group component="span" gap={4} wrap="nowrap">
						<IconAlertTriangle size={16} color="var(--tone-warnings)" aria-hidden />
						{t("nothing")}
					</Group>
				) : (
					t("values", { count: values })
				)
			}
		/>
	);
}
