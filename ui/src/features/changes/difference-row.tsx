import { ActionIcon, Select, type SelectProps, Table, Text } from "@mantine/core";
import {
	IconArrowsDiff,
	IconChevronDown,
	IconChevronRight,
	IconCircleMinus,
	IconCirclePlus,
	type IconProps,
} from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { type ComponentType, memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	Change,
	Compared,
	DifferenceView,
	FieldView,
	ImportView,
	Key,
	RecordId,
	Side,
	SideView,
	SiteView,
	SnapshotId,
	SnapshotView,
} from "@/bridge";
import { boardClasses as classes, FactCell } from "@/components/board";
import { Breakable, Exact, Small } from "@/components/text";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import { useComparedImports, useSides } from "@/lib/queries/changes";

const icons: Record<Change, [ComponentType<IconProps>, string]> = {
	missing: [IconCircleMinus, "var(--tone-failed)"],
	differs: [IconArrowsDiff, "var(--tone-warnings)"],
	added: [IconCirclePlus, "var(--tone-warnings)"],
};

interface DifferenceRowProps {
	titles: Titles;
	difference: DifferenceView;
	isHistoryKnown: boolean;
	opened: boolean;
	/** Whether Tab stops at the row. Arrow keys move to the other rows. */
	isStop: boolean;
	onOpen: (key: Key) => void;
	/** Index of the line in the table. */
	index: number;
	/** Measures the row; `null` if all rows are rendered. */
	measure: Measure;
}

export type Measure = ((row: HTMLElement | null) => void) | null;

/** Returns the props for the position of a row. */
export const placed = (index: number, measure: Measure) => ({
	"data-index": index,
	...(measure ? { ref: measure, "aria-rowindex": index + 2 } : {}),
});

/** Row of a resource that differs: both values, since when, and who changed it if the app did. */
export const DifferenceRow = memo(function DifferenceRow(props: DifferenceRowProps) {
	const { titles, difference, isHistoryKnown, opened, isStop, onOpen, index, measure } = props;
	const { t } = useTranslation("changes");
	const { key, server, change, accepted } = difference;
	const [Icon, tone] = icons[change];
	const Chevron = opened ? IconChevronDown : IconChevronRight;
	return (
		<Table.Tr {...placed(index, measure)}>
			<Table.Td data-head={t("change")}>
				<span className={classes.fact}>
					<Icon size={16} color={tone} aria-hidden />
					<Text component="span">{changeText(t, change, titles)}</Text>
				</span>
				{accepted ? <Small>{t("isAccepted")}</Small> : null}
			</Table.Td>
			<FactCell head={t("what")} below={server ?? t("portal")} fact={<Breakable>{key.name}</Breakable>} />
			<Value head={titles.from} difference={difference} side="before" />
			<Value head={titles.to} difference={difference} side="after" />
			<Seen difference={difference} titles={titles} />
			{titles.sides === null ? <By difference={difference} isHistoryKnown={isHistoryKnown} /> : null}
			<Table.Td>
				<ActionIcon
					variant="subtle"
					tabIndex={isStop ? 0 : -1}
					aria-expanded={opened}
					aria-label={t("open", { name: key.name })}
					onClick={() => onOpen(key)}
				>
					<Chevron size={16} aria-hidden />
				</ActionIcon>
			</Table.Td>
		</Table.Tr>
	);
});

function changeText(t: TFunction<"changes">, change: Change, { sides }: Titles): string {
	if (sides === null || change === "differs") return t(`changes.${change}`);
	return t("between.only", { site: change === "missing" ? sides.left : sides.right });
}

/**
 * Time of the first snapshot with the current value; between two sites, of the last change, and on which site it was.
 */
function Seen({
	difference: { firstSeen, isSeenLeft },
	titles: { sides },
}: Pick<DifferenceRowProps, "difference" | "titles">) {
	const { t } = useTranslation("changes");
	const head = t(sides === null ? "firstSeen" : "lastChanged");
	const where = sides === null ? null : isSeenLeft ? sides.left : sides.right;
	return (
		<FactCell
			head={head}
			dimmed={firstSeen === null}
			below={firstSeen === null ? null : where}
			fact={
				firstSeen === null ? t("notKnown") : <Exact at={firstSeen} words={formatTime(firstSeen)} hasOwnFocus={false} />
			}
		/>
	);
}

interface ValueProps {
	head: string;
	difference: DifferenceView;
	side: "before" | "after";
}

/** Returns the text for a field without a value, or for a list without entries that the other list lacks. */
export const noValue = (t: TFunction<"changes">, { isList }: FieldView) => t(isList ? "nothingElse" : "nothing");

/** First field that differs, and the number of further ones. */
function Value({ head, difference: { change, first, fields, server }, side }: ValueProps) {
	const { t } = useTranslation("changes");
	if (first === null) {
		const isThere = (change === "missing") === (side === "before");
		const place = server === null ? "portal" : "server";
		return <FactCell head={head} dimmed={!isThere} fact={isThere ? t("there") : t(`notThere.${place}`)} />;
	}
	const value = first[side];
	const more = fields - 1;
	return (
		<FactCell
			head={head}
			dimmed={first.isSecret || !value}
			below={more === 0 ? first.field : t("more", { field: first.field, count: more })}
			fact={first.isSecret ? t("secret") : value || noValue(t, first)}
		/>
	);
}

function By({ difference: { by }, isHistoryKnown }: Pick<DifferenceRowProps, "difference" | "isHistoryKnown">) {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const head = t("by");
	if (by) {
		return (
			<FactCell
				head={head}
				below={[formatTime(by.at), by.username].filter(Boolean).join(", ")}
				fact={nameOf(by.operation)}
			/>
		);
	}
	return isHistoryKnown ? (
		<FactCell head={head} below={t("userNotReported")} fact={t("notByApp")} />
	) : (
		<FactCell head={head} dimmed fact={t("notKnown")} />
	);
}

/** Headings of the columns of both snapshots. */
export interface Titles {
	from: string;
	to: string;
	/** Names of both sides, between two sites or servers. */
	sides: { left: string; right: string } | null;
}

/** Two snapshots that a user chose, with the fields to choose others. */
interface Choice {
	compared: Compared;
	titles: Titles;
	fields: ReactNode;
}

/** Two snapshots of a site, the two newest at first; `null` without two. */
export function useSince(site: SiteView, all: readonly SnapshotView[]): Choice | null {
	const { t } = useTranslation("changes");
	const [chosen, choose] = useState<{ from?: SnapshotId; to?: SnapshotId }>({});
	const taken = all.filter(({ failure }) => failure === "");
	const to = chosen.to ?? taken[0]?.id;
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
					onChange={(id) => choose({ from: Number(id), to })}
				/>
				<Small>{t("to")}</Small>
				<Choose
					w={196}
					label={t("until")}
					data={options((id) => id > from)}
					value={String(to)}
					onChange={(id) => choose({ from, to: Number(id) })}
				/>
			</>
		),
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
	};
}

interface ChooseProps extends Pick<SelectProps, "w" | "data" | "value"> {
	label: string;
	onChange: (value: string) => void;
}

function Choose({ label, onChange, ...select }: ChooseProps) {
	return <Select size="xs" aria-label={label} onChange={(value) => value !== null && onChange(value)} {...select} />;
}
