import { ActionIcon, Group, Table, Text } from "@mantine/core";
import {
	IconArrowsDiff,
	IconChevronDown,
	IconChevronRight,
	IconCircleMinus,
	IconCirclePlus,
	type IconProps,
} from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { type ComponentType, memo } from "react";
import { useTranslation } from "react-i18next";
import type { Change, DifferenceView, FieldView, Key } from "@/bridge";
import { FactCell } from "@/components/board";
import { Small } from "@/components/text";
import { Exact } from "@/components/time";
import { formatTime } from "@/lib/format";
import { useHistoryName } from "@/lib/history-text";
import type { Titles } from "./choices";

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
	/** Whether Tab stops at it. Arrow keys move to the other rows. */
	isStop: boolean;
	onOpen: (key: Key) => void;
	/** Index of the line in the table. */
	index: number;
	/** Measures the row; `null` if all rows are rendered. */
	measure: Measure;
}

export type Measure = ((row: HTMLElement | null) => void) | null;

/** Props that say where a row is. */
export const placed = (index: number, measure: Measure) => ({
	"data-index": index,
	...(measure ? { ref: measure, "aria-rowindex": index + 2 } : {}),
});

/** A resource that differs: what and where, from and to, since when, and by whom if the app did it. */
export const DifferenceRow = memo(function DifferenceRow(props: DifferenceRowProps) {
	const { titles, difference, isHistoryKnown, opened, isStop, onOpen, index, measure } = props;
	const { t } = useTranslation("changes");
	const { key, server, change, accepted } = difference;
	const [Icon, tone] = icons[change];
	const Chevron = opened ? IconChevronDown : IconChevronRight;
	return (
		<Table.Tr {...placed(index, measure)}>
			<Table.Td data-head={t("change")}>
				<Group gap={4} wrap="nowrap">
					<Icon size={16} color={tone} aria-hidden />
					<Text component="span">{changeText(t, change, titles)}</Text>
				</Group>
				{accepted ? <Small>{t("isAccepted")}</Small> : null}
			</Table.Td>
			<FactCell head={t("what")} below={server ?? t("portal")}>
				{key.name}
			</FactCell>
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

/** When it was so for the first time; between two sites, where it changed last. */
function Seen({
	difference: { firstSeen, isSeenLeft },
	titles: { sides },
}: Pick<DifferenceRowProps, "difference" | "titles">) {
	const { t } = useTranslation("changes");
	const head = t(sides === null ? "firstSeen" : "lastChanged");
	const where = sides === null ? null : isSeenLeft ? sides.left : sides.right;
	return (
		<FactCell head={head} dimmed={firstSeen === null} below={firstSeen === null ? null : where}>
			{firstSeen === null ? t("notKnown") : <Exact at={firstSeen} words={formatTime(firstSeen)} hasOwnFocus={false} />}
		</FactCell>
	);
}

interface ValueProps {
	head: string;
	difference: DifferenceView;
	side: "before" | "after";
}

/** Says that a field has no value, or that a list has nothing that the other one lacks. */
export const noValue = (t: TFunction<"changes">, { isList }: FieldView) => t(isList ? "nothingElse" : "nothing");

/** The first field that differs, and how many more do. */
function Value({ head, difference: { change, first, fields, server }, side }: ValueProps) {
	const { t } = useTranslation("changes");
	if (first === null) {
		const isThere = (change === "missing") === (side === "before");
		const place = server === null ? "portal" : "server";
		return (
			<FactCell head={head} dimmed={!isThere} below={null}>
				{isThere ? t("there") : t(`notThere.${place}`)}
			</FactCell>
		);
	}
	const value = first[side];
	const more = fields - 1;
	return (
		<FactCell
			head={head}
			dimmed={first.isSecret || !value}
			below={more === 0 ? first.field : t("more", { field: first.field, count: more })}
		>
			{first.isSecret ? t("secret") : value || noValue(t, first)}
		</FactCell>
	);
}

function By({ difference: { by }, isHistoryKnown }: Pick<DifferenceRowProps, "difference" | "isHistoryKnown">) {
	const { t } = useTranslation("changes");
	const nameOf = useHistoryName();
	const head = t("by");
	if (by) {
		return (
			<FactCell head={head} below={[formatTime(by.at), by.username].filter(Boolean).join(", ")}>
				{nameOf(by.operation)}
			</FactCell>
		);
	}
	return isHistoryKnown ? (
		<FactCell head={head} below={t("userNotReported")}>
			{t("notByApp")}
		</FactCell>
	) : (
		<FactCell head={head} dimmed below={null}>
			{t("notKnown")}
		</FactCell>
	);
}
