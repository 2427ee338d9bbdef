import { Paper, Table, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./board.module.css";
import { Breakable } from "./breakable";
import { OutcomeIcon, type OutcomeName } from "./outcome";

interface BoardProps {
	/** Names the table. */
	label: string;
	/** Heads of the columns; an empty one names a column of buttons. */
	heads: readonly string[];
	/** Name of a board whose cells are laid out in another way in a narrow window. */
	kind?: "sites" | "plans" | "sets";
	children: ReactNode;
}

/** A table of facts with two lines in each row. In a narrow window each row is a grid with the head in each cell. */
export function Board({ label, heads, kind, children }: BoardProps) {
	return (
		<Paper withBorder className={classes.card ?? ""}>
			<Table className={classes.board ?? ""} data-kind={kind} aria-label={label}>
				<Table.Thead>
					<Table.Tr>
						{heads.map((head, place) => {
							const key = `${place} ${head}`;
							// Two servers can have one name.
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
	/** Head of the column. */
	head: string;
	tone?: OutcomeName | null;
	/** What is not known, or never was. */
	dimmed?: boolean;
	/** Age or source of the fact. */
	below: ReactNode;
	children: ReactNode;
}

/** A fact, and below it its age or its source. */
export function FactCell({ head, tone = null, dimmed = false, below, children }: FactCellProps) {
	return (
		<Table.Td data-head={head}>
			<span className={classes.fact}>
				{tone === null ? null : <OutcomeIcon outcome={tone} />}
				<Text component="span" {...(dimmed ? { c: "dimmed" } : {})}>
					{children}
				</Text>
			</span>
			{below ? (
				<Text component="span" size="xs" c="dimmed" display="block">
					{below}
				</Text>
			) : null}
		</Table.Td>
	);
}

const noFact = "–";

/** A cell for what cannot exist. */
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
