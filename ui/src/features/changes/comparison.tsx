import { ActionIcon, Code, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	Compared,
	ComparisonView,
	DifferenceView,
	Kind,
	SiteView,
	Substitution,
	SubstitutionView,
} from "@/bridge";
import { Board, FactCell } from "@/components/board";
import type { Titles } from "@/components/difference-row";
import { DifferenceTable } from "@/components/difference-table";
import { Narrowing, NotCompared, narrowed, useHeadline } from "@/components/differences";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { IconButton, LinkButton, Small } from "@/components/text";
import { useFormFaults } from "@/lib/drafts";
import { formatList, formatTime } from "@/lib/format";
import { useComparison } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { DifferenceDetails, HistoryCells } from "./difference-details";

interface ComparisonProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	/** Fields that choose the snapshots. */
	choice: ReactNode;
	/** Button beside what was not compared. */
	takeAgain: ReactNode;
}

/** Differences between two snapshots, with a search. */
export function Comparison({ site, compared, titles, choice, takeAgain }: ComparisonProps) {
	const read = useComparison(compared);
	const [words, search] = useState("");
	const [kind, filter] = useState<Kind | null>(null);
	const all = read.data?.differences ?? [];
	const headline = useHeadline(
		all.filter(({ accepted }) => accepted === null),
		read.data?.notCompared ?? [],
		titles,
	);
	return (
		<Stack gap="sm">
			<Group gap="xs">
				{choice}
				<Narrowing all={all} words={words} onWords={search} kind={kind} onKind={filter} />
			</Group>
			{read.isLoading ? <LoadingRows height={48} /> : null}
			<ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
			{read.data && read.data.changed.length > 0 ? <WasChanged at={read.data.changed} /> : null}
			{read.data && read.data.changed.length === 0 ? (
				<>
					<Title order={2} size="h3">
						{headline}
					</Title>
					<NotRecorded at={read.data.notRecorded} />
					<NotCompared gaps={read.data.notCompared}>{takeAgain}</NotCompared>
					<Differences
						key={JSON.stringify(compared)}
						site={site}
						compared={compared}
						titles={titles}
						comparison={read.data}
						found={narrowed(all, words, kind)}
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
	const { isHistoryKnown } = comparison;
	const cells = (one: DifferenceView) => (
		<HistoryCells difference={one} titles={titles} isHistoryKnown={isHistoryKnown} />
	);
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
					label={t("title")}
					titles={titles}
					shown={shown}
					more={{ heads: titles.sides === null ? [t("firstSeen"), t("by")] : [t("lastChanged")], cells }}
					details={(one) => <DifferenceDetails site={site} compared={compared} titles={titles} difference={one} />}
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
				// A proposal without effect is no mistake of the user.
				values === 0 && at !== null ? (
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
