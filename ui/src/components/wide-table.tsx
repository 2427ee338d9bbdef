import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Breakable } from "./breakable";

interface WideTableProps {
	label: string;
	/** The row of headings. */
	head: ReactNode;
	minWidth?: number;
	/** A click on a row picks it. */
	picks?: boolean;
	className?: string;
	/** Its rows. */
	children: ReactNode;
}

/** A table that is scrolled sideways where there is little room, also by the keyboard. */
export function WideTable({ label, head, minWidth = 600, picks = false, className = "", children }: WideTableProps) {
	return (
		<Table.ScrollContainer
			minWidth={minWidth}
			// Of what is seen of it, so that its right edge is there before it is scrolled to.
			style={{ border: "1px solid var(--rim)" }}
			scrollAreaProps={{ type: "auto", offsetScrollbars: "present", viewportProps: { tabIndex: 0 } }}
		>
			<Table highlightOnHover={picks} aria-label={label} layout="fixed" className={className}>
				<Table.Thead>{head}</Table.Thead>
				<Table.Tbody>{children}</Table.Tbody>
			</Table>
		</Table.ScrollContainer>
	);
}

/** A name or an address, and below it what belongs to it. */
export function TwoLines({ main, second = "", children }: { main: string; second?: string; children?: ReactNode }) {
	return (
		<Table.Td mod="anywhere">
			<Breakable>{main}</Breakable>
			{second ? (
				<Text size="xs" c="dimmed">
					<Breakable>{second}</Breakable>
				</Text>
			) : null}
			{children}
		</Table.Td>
	);
}
