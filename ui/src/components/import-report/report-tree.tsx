import { Badge, Box, Checkbox, Group, Text } from "@mantine/core";
import {
	IconAlertTriangle,
	IconChevronDown,
	IconChevronRight,
	IconCircleX,
	IconDeviceDesktop,
	IconExclamationCircle,
	IconInfoCircle,
} from "@tabler/icons-react";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import type { Ticks } from "@/lib/queries/changes";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import {
	type Change,
	isOpenMatter,
	parentOf,
	type Row,
	reasonOf,
	type Severity,
	severities,
	step,
	titleOf,
} from "./lines";
import classes from "./report-tree.module.css";

/** Rows up to this number are all rendered; of more rows, only the visible ones are. */
const maxRendered = 200;

interface ReportTreeProps {
	rows: readonly Row[];
	/** Index of the row whose details are shown. */
	active: number;
	ticks: Ticks;
	onActive: (id: string) => void;
	onTurn: (id: string) => void;
}

/**
 * Tree of sources, services, and machines. Arrow keys move, and the space bar marks as done. It scrolls with the page.
 */
export const ReportTree = memo(function ReportTree({ rows, active, ticks, onActive, onTurn }: ReportTreeProps) {
	const { t } = useTranslation("importServer");
	const tree = useRef<HTMLDivElement>(null);
	const prefix = useId();
	const { items, height, reveal } = useDrawn(tree, rows, active);

	const drawn = items.length > 0;
	const left = useRef(active > 0);
	useEffect(() => {
		// Scrolls to the active row after the user returns to the report.
		if (!drawn || !left.current) return;
		left.current = false;
		tree.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
	}, [drawn]);

	const tick = (row: Row) => {
		if (row.kind === "line" && isOpenMatter(row.line)) ticks.set(row.id, !ticks.done.has(row.id));
	};
	const go = (index: number) => {
		const row = rows[index];
		if (!row) return;
		onActive(row.id);
		reveal(index);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const row = rows[active];
		if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
		const next = step(rows, active, event.key);
		if (next !== null) go(next);
		else if (event.key === " ") tick(row);
		else if (event.key === "Enter") onTurn(row.id);
		else if (event.key === "ArrowRight" && row.open !== null) row.open ? go(active + 1) : onTurn(row.id);
		else if (event.key === "ArrowLeft") row.open ? onTurn(row.id) : go(parentOf(rows, active));
		else return;
		event.preventDefault();
	};

	return (
		<Box
			ref={tree}
			role="tree"
			aria-label={t("messages")}
			aria-activedescendant={rows[active] ? `${prefix} ${active}` : ""}
			tabIndex={0}
			className={`${classes.tree} ${height === null ? "" : classes.many}`}
			h={height ?? undefined}
			onKeyDown={onKeyDown}
		>
			{items.map(({ index, start }) => {
				const row = rows[index];
				return row ? (
					<ReportRow
						key={row.id}
						id={`${prefix} ${index}`}
						row={row}
						active={index === active}
						ticked={ticks.done.has(row.id)}
						start={start}
						onPick={onActive}
						onTurn={onTurn}
						onTick={ticks.set}
					/>
				) : null;
			})}
		</Box>
	);
});

interface Drawn {
	items: { index: number; start: number | null }[];
	/** Height of all rows; `null` if all rows are rendered. */
	height: number | null;
	reveal: (index: number) => void;
}

/** Returns the rows to render: all of a few; otherwise the visible ones and the active one. */
function useDrawn(tree: React.RefObject<HTMLDivElement | null>, rows: readonly Row[], active: number): Drawn {
	const page = useRef<HTMLElement | null>(null);
	const [above, setAbove] = useState(0);
	// Scroll margins of a row, from its style.
	const [covered, setCovered] = useState({ start: 0, end: 0 });
	const many = rows.length > maxRendered;
	// After every render, because changes above the rows move them.
	useLayoutEffect(() => {
		if (!tree.current) return;
		page.current ??= scrollerOf(tree.current);
		const row = tree.current.firstElementChild;
		const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(row ?? tree.current);
		const [start, end] = [Number.parseFloat(scrollMarginTop) || 0, Number.parseFloat(scrollMarginBottom) || 0];
		setCovered((before) => (before.start === start && before.end === end ? before : { start, end }));
		const { top } = page.current.getBoundingClientRect();
		setAbove(Math.round(tree.current.getBoundingClientRect().top - top + page.current.scrollTop));
	});
	const virtual = useVirtualRows({
		count: many ? rows.length : 0,
		scroller: () => page.current,
		// No keys of our own: new keys cause a layout of all rows.
		rowHeight,
		above,
		covered,
		active,
	});
	if (!many) {
		const reveal = (index: number) => tree.current?.children[index]?.scrollIntoView({ block: "nearest" });
		return { items: rows.map((_, index) => ({ index, start: null })), height: null, reveal };
	}
	return {
		items: virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start - above })),
		height: virtual.getTotalSize(),
		reveal: (index) => virtual.scrollToIndex(index, { align: "auto" }),
	};
}

/** Height of a row in pixels; `report-tree.module.css` sets it in rem. */
function rowHeight(): number {
	return 2.125 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

function scrollerOf(element: HTMLElement): HTMLElement {
	for (let around = element.parentElement; around; around = around.parentElement) {
		if (["auto", "scroll"].includes(getComputedStyle(around).overflowY)) return around;
	}
	return document.documentElement;
}

const signs = {
	error: [IconExclamationCircle, "var(--tone-failed)"],
	failed: [IconCircleX, "var(--tone-failed)"],
	warning: [IconAlertTriangle, "var(--tone-warnings)"],
	note: [IconInfoCircle, "var(--mantine-color-dimmed)"],
} as const;

interface ReportRowProps {
	row: Row;
	id: string;
	active: boolean;
	ticked: boolean;
	/** Distance from the top of the tree in pixels; `null` if all rows are in the document flow. */
	start: number | null;
	onPick: (id: string) => void;
	onTurn: (id: string) => void;
	onTick: (id: string, done: boolean) => void;
}

/** Row of the tree, on one line. The details show its full text. */
const ReportRow = memo(function ReportRow(props: ReportRowProps) {
	const { row, id, active, ticked, start, onPick, onTurn, onTick } = props;
	const matter = row.kind === "line" && isOpenMatter(row.line);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all rows
		// biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and refers to the active row by its id
		<div
			id={id}
			role="treeitem"
			aria-level={row.level}
			aria-posinset={row.position}
			aria-setsize={row.siblings}
			aria-selected={active}
			{...(row.open === null ? {} : { "aria-expanded": row.open })}
			{...(matter ? { "aria-checked": ticked } : {})}
			data-level={row.level}
			className={classes.row}
			style={start === null ? undefined : { transform: `translateY(${start}px)` }}
			onClick={() => onPick(row.id)}
			onDoubleClick={() => onTurn(row.id)}
		>
			<Turn open={row.open} onTurn={() => onTurn(row.id)} />
			<Content row={row} ticked={ticked} />
			{matter ? (
				<Checkbox size="xs" checked={ticked} onChange={() => onTick(row.id, !ticked)} tabIndex={-1} aria-hidden />
			) : null}
		</div>
	);
});

function Turn({ open, onTurn }: { open: boolean | null; onTurn: () => void }) {
	if (open === null) return <span className={classes.turn} />;
	const Icon = open ? IconChevronDown : IconChevronRight;
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
		// biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
		<span
			className={classes.turn}
			onClick={(event) => {
				event.stopPropagation();
				onTurn();
			}}
		>
			<Icon size={16} aria-hidden />
		</span>
	);
}

function Content({ row, ticked }: { row: Row; ticked: boolean }) {
	const { t } = useTranslation("importServer");
	switch (row.kind) {
		case "source":
			return (
				<>
					<Text fw={600} truncate flex={1}>
						{row.source || t("unnamedSource")}
					</Text>
					<Counts counts={row.counts} />
				</>
			);
		case "line": {
			const { line } = row;
			const { service, level } = line.message;
			const title = titleOf(line);
			const state = service?.state ?? (["INFO", "WARNING"].includes(level.toUpperCase()) ? "" : level);
			return (
				<>
					<Sign severity={line.severity} />
					<Group gap="xs" wrap="nowrap" flex={1} miw={0}>
						<Text
							fw={line.severity === "note" || ticked ? 400 : 600}
							td={ticked ? "line-through" : "none"}
							{...(title === "" ? { c: "dimmed" } : {})}
							truncate
							maw="100%"
							style={{ flex: "0 1 auto" }}
						>
							{title || t("noMessage")}
						</Text>
						<Text c="dimmed" truncate style={{ flex: "1 1 0" }}>
							{reasonOf(line)}
						</Text>
					</Group>
					{line.change && line.change !== "same" ? <ChangeBadge change={line.change} /> : null}
					{state ? <Quiet>{state}</Quiet> : null}
				</>
			);
		}
		case "machine":
			return (
				<>
					<IconDeviceDesktop size={16} color="var(--mantine-color-dimmed)" aria-hidden />
					<Text truncate flex={1}>
						{row.machine.machine}
					</Text>
					<Text c="dimmed">{t("reports", { count: row.machine.reports.length })}</Text>
					<Quiet>{row.machine.state}</Quiet>
				</>
			);
	}
}

export function Sign({ severity }: { severity: Severity }) {
	const { t } = useTranslation("importServer");
	const [Icon, color] = signs[severity];
	return <Icon size={18} color={color} role="img" aria-label={t(`sign.${severity}`)} />;
}

/** Number of lines of each severity, the worst first, without zeros. */
function Counts({ counts }: { counts: Record<Severity, number> }) {
	return (
		<Group gap="sm" wrap="nowrap" flex="none">
			{severities
				.filter((severity) => counts[severity] > 0)
				.map((severity) => (
					<Group key={severity} gap={4} wrap="nowrap">
						<Sign severity={severity} />
						<Text c="dimmed">{formatNumber(counts[severity])}</Text>
					</Group>
				))}
		</Group>
	);
}

function ChangeBadge({ change }: { change: Change }) {
	const { t } = useTranslation("importServer");
	return (
		<Badge variant={change === "new" ? "filled" : "outline"} flex="none">
			{t(`change.${change}`)}
		</Badge>
	);
}

function Quiet({ children }: { children: ReactNode }) {
	return (
		<Box visibleFrom="xs" flex="none">
			<Badge variant="default" maw={160}>
				{children}
			</Badge>
		</Box>
	);
}
