import { Group, Select, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Change, Kind, NotComparedView } from "@/bridge";
import { formatList, formatNumber } from "@/lib/format";
import { matches } from "@/lib/matches";
import { joined } from "@/messages/isolated";
import type { Differing, Titles } from "./difference-row";
import { Foldable } from "./foldable";
import { Notice } from "./notice";
import { SearchField } from "./path-field";

/**
 * Changes in the order of the headline, each with the side that alone has the resource; `null` if both sides have it.
 * Imports use the order of `ofImport`.
 */
const inHeadline = { differs: null, missing: "left", added: "right" } as const;
const ofImport = ["missing", "differs", "added"] as const;

/** Counts that are named in the headline; the rest is one number. */
const mostCounts = 5;

/** Returns the headline of a comparison: what differs, counted by kind, and the kinds that were not compared. */
export function useHeadline(
	differences: readonly Differing[],
	notCompared: readonly NotComparedView[],
	{ sides, isImport }: Titles,
): string {
	const { t } = useTranslation(["changes", "common"]);
	const kinds = [...new Set(differences.map(({ key }) => key.kind))];
	const changes = isImport ? ofImport : (Object.keys(inHeadline) as Change[]);
	const counts = kinds.flatMap((kind) =>
		changes
			.map((change) => ({
				change,
				count: differences.filter((one) => one.key.kind === kind && one.change === change).length,
			}))
			.filter(({ count }) => count > 0)
			.map(({ change, count }, place) => {
				// The kind is named once.
				const what = place === 0 ? t(`headline.counted.${kind}`, { count }) : formatNumber(count);
				const side = inHeadline[change];
				if (isImport) return { count, text: t(`headline.effect.${change}`, { count, what }) };
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
	const missing = [...new Set(notCompared.map(({ resourceKind }) => resourceKind))].map((kind) =>
		t(`common:changesFile.kinds.${kind}`),
	);
	if (missing.length === 0) return said.length === 0 ? t("headline.none") : joined(said, ", ");
	// What was not compared is not called unchanged.
	return said.length === 0
		? t("headline.notCompared", { kinds: formatList(missing) })
		: t("headline.incomplete", { changes: joined(said, ", "), kinds: formatList(missing) });
}

interface NarrowingProps {
	all: readonly Differing[];
	words: string;
	onWords: (words: string) => void;
	kind: Kind | null;
	onKind: (kind: Kind | null) => void;
}

/** Search and kind that narrow the differences. */
export function Narrowing({ all, words, onWords, kind, onKind }: NarrowingProps) {
	const { t } = useTranslation(["changes", "common"]);
	const kinds = [...new Set(all.map(({ key }) => key.kind))];
	return (
		<>
			<SearchField
				size="xs"
				flex="1 1 140px"
				aria-label={t("search")}
				placeholder={t("search")}
				value={words}
				onChange={onWords}
			/>
			<Select
				w={160}
				size="xs"
				aria-label={t("kind")}
				placeholder={t("allKinds")}
				clearable
				data={kinds.map((one) => ({ value: one, label: t(`common:changesFile.kinds.${one}`) }))}
				value={kind}
				onChange={(one) => onKind(one as Kind | null)}
			/>
		</>
	);
}

/** Returns the differences of a kind, or of all, that match a search. */
export function narrowed<D extends Differing>(all: readonly D[], words: string, kind: Kind | null): D[] {
	return all.filter(
		({ key, server, first }) =>
			(kind === null || key.kind === kind) && matches(words, key.name, server ?? "", first?.field ?? ""),
	);
}

/** Largest number of parts that were not read and are shown; the rest is collapsed. */
const most = 3;

interface NotComparedProps {
	gaps: readonly NotComparedView[];
	/** Button that reads them again. */
	children: ReactNode;
}

/** Parts that were not read and might therefore differ, with the reasons. */
export function NotCompared({ gaps, children }: NotComparedProps) {
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
			{children ? <Group>{children}</Group> : null}
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
