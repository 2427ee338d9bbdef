import { Button, Group, Paper, Table, Text, VisuallyHidden } from "@mantine/core";
import { type ReactNode, type Ref, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Outcome } from "@/bridge";
import classes from "./board.module.css";
import { OutcomeIcon } from "./outcome";
import { Breakable, Small } from "./text";

interface BoardProps {
	label: string;
	/** Column headings; empty for the column of buttons. */
	heads: readonly string[];
	/** Table with a layout of its own in the style sheet; omitted for the default layout. */
	kind?: "sites" | "components" | "plans" | "sets" | "parts" | "restore" | "changes";
	/** For rows that arrow keys move between. */
	role?: "grid";
	/** Number of rows with the headings, if not all are rendered. */
	rowCount?: number | undefined;
	/**
	 * Scroll container for long lists, with its maximum height in pixels; `null` if the page scrolls. `isStop`: nothing in
	 * it takes the focus, so that Tab stops at the container, and keys scroll it.
	 */
	frame?: { ref: Ref<HTMLDivElement>; height: number | null; isStop: boolean };
	children: ReactNode;
}

/** Table with two lines in each row. In a narrow window, each row is a grid with the heading in each cell. */
export function Board({ label, heads, kind, role, rowCount, frame, children }: BoardProps) {
	return (
		<Paper
			ref={frame?.ref}
			withBorder
			className={classes.card ?? ""}
			{...(frame && frame.height !== null
				? { mah: frame.height, style: { overflowY: "auto" }, ...(frame.isStop ? { tabIndex: 0 } : {}) }
				: {})}
		>
			<Table className={classes.board ?? ""} data-kind={kind} role={role} aria-label={label} aria-rowcount={rowCount}>
				<Table.Thead>
					<Table.Tr>
						{heads.map((head, place) => {
							const key = `${place} ${head}`;
							// The index is part of the key, because two servers can have the same name.
							return head === "" ? (
								<Table.Td key={key} />
							) : (
								<Table.Th key={key}>
									<Breakable>{head}</Breakable>
								</Table.Th>
							);
						})}
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>{children}</Table.Tbody>
			</Table>
		</Paper>
	);
}

interface FactCellProps {
	head: string;
	tone?: Outcome | null;
	/** For values that are unknown or never existed. */
	dimmed?: boolean;
	below?: ReactNode;
	fact: ReactNode;
}

/** Cell with a fact and, below it, its age or source. */
export function FactCell({ head, tone = null, dimmed = false, below, fact }: FactCellProps) {
	return (
		<Table.Td data-head={head}>
			<span className={classes.fact}>
				{tone === null ? null : <OutcomeIcon outcome={tone} />}
				<Text component="span" {...(dimmed ? { c: "dimmed" } : {})}>
					{fact}
				</Text>
			</span>
			<Below>{below}</Below>
		</Table.Td>
	);
}

/** Small line below the first one of a cell; nothing if it is empty. */
export function Below({ children }: { children: ReactNode }) {
	return children ? (
		<Small component="span" display="block">
			{children}
		</Small>
	) : null;
}

interface RowProps {
	icon: ReactNode;
	title: ReactNode;
	/** Age or source, below the title. */
	below: ReactNode;
	/** Button at the end. */
	children?: ReactNode;
}

/** Row of a list in a card. */
export function Row({ icon, title, below, children, ...row }: RowProps) {
	return (
		<li className={classes.row} {...row}>
			{icon}
			<div className={classes.words}>
				{title}
				<Small>{below}</Small>
			</div>
			{children}
		</li>
	);
}

/** List of rows in a card. */
export function Rows({ label, busy, children }: { label: string; busy?: boolean; children: ReactNode }) {
	return (
		<Paper withBorder component="ul" className={classes.rows ?? ""} aria-label={label} aria-busy={busy}>
			{children}
		</Paper>
	);
}

const rowsAtFirst = 6;

/** First rows of a list, with a button that shows the others. */
export function FirstRows<T>({
	label,
	rows,
	children,
}: {
	label: string;
	rows: readonly T[];
	children: (row: T) => ReactNode;
}) {
	const { t } = useTranslation("sites");
	const [isWhole, setWhole] = useState(false);
	const count = rows.length;
	return (
		<>
			<Rows label={label}>{(isWhole ? rows : rows.slice(0, rowsAtFirst)).map(children)}</Rows>
			{isWhole || count <= rowsAtFirst ? null : (
				<Group>
					<Button onClick={() => setWhole(true)}>{t("attention.all", { count })}</Button>
				</Group>
			)}
		</>
	);
}

const noFact = "–";

/** Cell for a fact that cannot exist. Screen readers read `why`. */
export function NoFactCell({ head, why }: { head: string; why: string }) {
	return (
		<Table.Td data-head={head}>
			<Text component="span" c="dimmed" aria-hidden>
				{noFact}
			</Text>
			<VisuallyHidden>{why}</VisuallyHidden>
		</Table.Td>
	);
}

export { classes as boardClasses };
