import { Select, type SelectProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Compared, ImportView, RecordId, Side, SideView, SiteView, SnapshotId, SnapshotView } from "@/bridge";
import type { Titles } from "@/components/difference-row";
import { Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import { useComparedImports, useSides } from "@/lib/queries/changes";

/** Two snapshots that a user chose, with the fields to choose others. */
interface Choice {
	compared: Compared;
	titles: Titles;
	fields: ReactNode;
	/** Keeps the earlier snapshot while a new one becomes the later one; `null` if the later one is not the newest. */
	keepEarlier: (() => void) | null;
}

/** Two snapshots of a site, the two newest at first; `null` without two. */
export function useSince(site: SiteView, all: readonly SnapshotView[]): Choice | null {
	const { t } = useTranslation("changes");
	const [chosen, choose] = useState<{ from?: SnapshotId; to?: SnapshotId }>({});
	const taken = all.filter(({ failure }) => failure === "");
	// Until a user chooses an older one, the later snapshot is the newest, also of those that are taken meanwhile.
	const newest = taken[0]?.id;
	const to = chosen.to ?? newest;
	const from = chosen.from ?? taken.find(({ id }) => to !== undefined && id < to)?.id;
	if (from === undefined || to === undefined) return null;
	const options = (fits: (id: SnapshotId) => boolean) =>
		taken.filter(({ id }) => fits(id)).map(({ id, at }) => ({ value: String(id), label: formatTime(at) }));
	const timeOf = (wanted: SnapshotId) => formatTime(taken.find(({ id }) => id === wanted)?.at ?? 0);
	return {
		compared: { kind: "since", site: site.id, from, to },
		titles: { from: timeOf(from), to: timeOf(to), sides: null },
		fields: (
			<>
				<Choose
					w={196}
					label={t("from")}
					data={options((id) => id < to)}
					value={String(from)}
					onChange={(id) => choose({ ...chosen, from: Number(id) })}
				/>
				<Small>{t("to")}</Small>
				<Choose
					w={196}
					label={t("until")}
					data={options((id) => id > from)}
					value={String(to)}
					onChange={(id) => choose(Number(id) === newest ? { from } : { from, to: Number(id) })}
				/>
			</>
		),
		keepEarlier: to === newest ? () => choose({ from }) : null,
	};
}

const sideOf = ({ side }: { side: Side }) => JSON.stringify([side.site, side.server]);
const nameOfSide = ({ siteName, serverName }: SideView) => [siteName, serverName].filter(Boolean).join(", ");
const option = (one: SideView) => ({ value: sideOf(one), label: `${nameOfSide(one)}, ${formatTime(one.at)}` });

/** The newest snapshots of this site and another one, or of two servers; `null` without two. */
export function useBetween(site: SiteView): Choice | null {
	const { t } = useTranslation("changes");
	const [chosen, choose] = useState<{ left?: string; right?: string }>({});
	const all = useSides().data ?? [];
	const own = all.filter(({ side }) => side.site === site.id);
	// A site is compared with a site, and a server with a server. Those of other sites come first.
	const others = (right: SideView) =>
		all
			.filter((one) => (one.side.server === null) === (right.side.server === null) && sideOf(one) !== sideOf(right))
			.toSorted((one, other) => Number(one.side.site === site.id) - Number(other.side.site === site.id));
	const possible = own.filter((one) => others(one).length > 0);
	const right = possible.find((one) => sideOf(one) === chosen.right) ?? possible[0];
	if (right === undefined) return null;
	const lefts = others(right);
	const left = lefts.find((one) => sideOf(one) === chosen.left) ?? lefts[0];
	if (left === undefined) return null;
	const sides = { left: nameOfSide(left), right: nameOfSide(right) };
	return {
		compared: { kind: "between", left: left.side, right: right.side },
		titles: { from: sides.left, to: sides.right, sides },
		fields: (
			<>
				<Choose
					w={230}
					label={t("between.left")}
					data={lefts.map(option)}
					value={sideOf(left)}
					onChange={(id) => choose({ right: sideOf(right), left: id })}
				/>
				<Small>{t("between.and")}</Small>
				<Choose
					w={230}
					label={t("between.right")}
					data={possible.map(option)}
					value={sideOf(right)}
					onChange={(id) => choose({ left: sideOf(left), right: id })}
				/>
			</>
		),
		keepEarlier: null,
	};
}

/** Identifies an import by its entry of the history, and an upgrade by the snapshot after it and its server. */
const importOf = ({ by, server, after }: ImportView) => by?.record ?? `${after} ${server}`;

/**
 * Returns the choice between imports and upgrades that have a snapshot before and after them, initially the newest;
 * `null` if there is none.
 */
export function useImport(site: SiteView, all: readonly SnapshotView[], first: RecordId | undefined): Choice | null {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const [chosen, choose] = useState(first);
	const imports = useComparedImports(site.id).data ?? [];
	// If the wanted import has no snapshot after it yet, no other import is shown in its place.
	const one = chosen === undefined ? imports[0] : imports.find((one) => importOf(one) === chosen);
	if (one === undefined) return null;
	const timeOf = (wanted: SnapshotId) => formatTime(all.find(({ id }) => id === wanted)?.at ?? 0);
	const options = imports.map((one) => ({
		value: importOf(one),
		label: [
			one.by ? nameOf(one.by.operation) : t("import.upgrade"),
			one.server,
			one.by ? formatTime(one.by.at) : timeOf(one.after),
		]
			.filter(Boolean)
			.join(", "),
	}));
	return {
		compared: { kind: "since", site: site.id, from: one.before, to: one.after },
		titles: {
			from: t("import.before", { at: timeOf(one.before) }),
			to: t("import.after", { at: timeOf(one.after) }),
			sides: null,
		},
		fields: <Choose w={360} label={t("import.label")} data={options} value={importOf(one)} onChange={choose} />,
		keepEarlier: null,
	};
}

interface ChooseProps extends Pick<SelectProps, "w" | "data" | "value"> {
	label: string;
	onChange: (value: string) => void;
}

function Choose({ label, onChange, ...select }: ChooseProps) {
	return <Select size="xs" aria-label={label} onChange={(value) => value !== null && onChange(value)} {...select} />;
}
