import { Paper, Table, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./board.module.css";
import { Breakable } from "./breakable";
import { OutcomeIcon, type OutcomeName } from "./outcome";

interface BoardProps {
	label: string;
	/** Column headings; empty for the column of buttons. */
	heads: readonly string[];
	/** Selects a layout of its own for narrow windows, where the default does not fit. */
	kind?: "sites" | "plans" | "sets";
	children: ReactNode;
}

/** Table with two lines in each row. In a narrow window, each row is a grid with the heading in each cell. */
export function Board({ label, heads, kind, children }: BoardProps) {
	return (
		<Paper withBorder className={classes.card ?? ""}>
			<Table className={classes.board ?? ""} data-kind={kind} aria-label={label}>
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
	tone?: OutcomeName | null;
	/** For values that are unknown or never existed. */
	dimmed?: boolean;
	below: ReactNode;
	children: ReactNode;
}

/** Cell with a fact and, below it, its age or source. */
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
