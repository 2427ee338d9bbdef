import { ActionIcon, Table, Text } from "@mantine/core";
import {
	IconArrowsDiff,
	IconChevronDown,
	IconChevronRight,
	IconCircleMinus,
	IconCirclePlus,
	type IconProps,
} from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { type ComponentType, memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Change, DifferenceView, FieldView, Key } from "@/bridge";
import { boardClasses as classes, FactCell } from "./board";
import { Breakable, Small } from "./text";

/** What each comparison shows of a resource that differs. */
export type Differing = Pick<DifferenceView, "key" | "server" | "change" | "first" | "fields"> &
	Partial<Pick<DifferenceView, "accepted">>;

/** Headings of the columns with the values of both sides. */
export interface Titles {
	from: string;
	to: string;
	/** Names of both sides, between two sites or servers. */
	sides: { left: string; right: string } | null;
	/** Whether the right side is an export, and a difference is an effect of its import. */
	isImport?: boolean;
}

const icons: Record<Change, [ComponentType<IconProps>, string]> = {
	missing: [IconCircleMinus, "var(--tone-failed)"],
	differs: [IconArrowsDiff, "var(--tone-warnings)"],
	added: [IconCirclePlus, "var(--tone-warnings)"],
};

interface DifferenceRowProps<D extends Differing> {
	titles: Titles;
	difference: D;
	/** Renders the cells after both values. */
	cells: ((difference: D) => ReactNode) | undefined;
	opened: boolean;
	/** Whether Tab stops at the row. Arrow keys move to the other rows. */
	isStop: boolean;
	/** `null` if the row has no details. */
	onOpen: ((key: Key) => void) | null;
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

/** Row of a resource that differs, with both values. */
export const DifferenceRow = memo(function DifferenceRow<D extends Differing>(props: DifferenceRowProps<D>) {
	const { titles, difference, cells, opened, isStop, onOpen, index, measure } = props;
	const { t } = useTranslation("changes");
	const { key, server, change, accepted } = difference;
	const [Icon, tone] = icons[change];
	const Chevron = opened ? IconChevronDown : IconChevronRight;
	const where = titles.isImport ? null : (server ?? t("portal"));
	return (
		<Table.Tr {...placed(index, measure)}>
			<Table.Td data-head={t("change")}>
				<span className={classes.fact}>
					<Icon size={16} color={tone} aria-hidden />
					<Text component="span">{changeText(t, change, titles)}</Text>
				</span>
				{accepted ? <Small>{t("isAccepted")}</Small> : null}
			</Table.Td>
			<FactCell head={t("what")} below={where} fact={<Breakable>{key.name}</Breakable>} />
			<Value titles={titles} difference={difference} side="before" />
			<Value titles={titles} difference={difference} side="after" />
			{cells?.(difference)}
			{onOpen === null ? null : (
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
			)}
		</Table.Tr>
	);
	// `memo` drops the type parameter.
}) as <D extends Differing>(props: DifferenceRowProps<D>) => ReactNode;

/** Returns the word for a change: of one site, between two, or by an import. */
export function changeText(t: TFunction<"changes">, change: Change, { sides, isImport }: Titles): string {
	if (isImport) return t(`effects.${change}`);
	if (sides === null || change === "differs") return t(`changes.${change}`);
	return t("between.only", { site: change === "missing" ? sides.left : sides.right });
}

interface ValueProps {
	titles: Titles;
	difference: Differing;
	side: "before" | "after";
}

/** Returns the text for a field without a value, or for a list without entries that the other list lacks. */
export const noValue = (t: TFunction<"changes">, { isList }: FieldView) => t(isList ? "nothingElse" : "nothing");

/** First field that differs, and the number of further ones. */
function Value({ titles, difference: { change, first, fields, server }, side }: ValueProps) {
	const { t } = useTranslation("changes");
	const head = side === "before" ? titles.from : titles.to;
	if (change === (side === "before" ? "added" : "missing")) {
		const here = titles.isImport ? (side === "before" ? "server" : "export") : server === null ? "portal" : "server";
		return <FactCell head={head} dimmed fact={t(`notThere.${here}`)} />;
	}
	const value = first?.[side];
	if (change !== "differs" || first === null) return <FactCell head={head} fact={value || t("there")} />;
	const more = fields - 1;
	return (
		<FactCell
			head={head}
			dimmed={first.isSecret || !value}
			below={more === 0 ? first.field : t("more", { field: first.field, count: more })}
			fact={
				// A connection string has many lines in a narrow column; the opened row shows it whole.
				<Text component="span" inherit c="inherit" lineClamp={3}>
					{first.isSecret ? t("secret") : value || noValue(t, first)}
				</Text>
			}
		/>
	);
}
