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
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { type Change, isOpenMatter, reasonOf, type Severity, severities, titleOf } from "./lines";
import classes from "./report-tree.module.css";
import type { Row } from "./tree";

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
export const ReportRow = memo(function ReportRow(props: ReportRowProps) {
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
