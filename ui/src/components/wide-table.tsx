import { Table, type TableThProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Breakable } from "./breakable";
import { Small } from "./text";

interface WideTableProps {
	label: string;
	/** Column headings. */
	head: ReactNode;
	minWidth?: number;
	/** Whether a click on a row selects it. */
	picks?: boolean;
	className?: string;
	children: ReactNode;
}

/** Table that scrolls horizontally, also by keyboard, if there is little room. */
export function WideTable({ label, head, minWidth = 600, picks = false, className = "", children }: WideTableProps) {
	return (
		<Table.ScrollContainer
			minWidth={minWidth}
			// On the visible area, so that the right edge is shown before the table is scrolled.
			style={{ border: "1px solid var(--rim)" }}
			scrollAreaProps={{ type: "auto", offsetScrollbars: "present", viewportProps: { tabIndex: 0 } }}
		>
			<Table highlightOnHover={picks} aria-label={label} layout="fixed" className={className}>
				{head}
				<Table.Tbody>{children}</Table.Tbody>
			</Table>
		</Table.ScrollContainer>
	);
}

/** Column headings, each with its width or other props. */
export function Heads({ of }: { of: readonly (string | [heading: string, props: TableThProps])[] }) {
	return (
		<Table.Thead>
			<Table.Tr>
				{of.map((one) => {
					const [heading, props] = typeof one === "string" ? [one, {}] : one;
					return (
						<Table.Th key={heading} {...props}>
							{heading}
						</Table.Th>
					);
				})}
			</Table.Tr>
		</Table.Thead>
	);
}

/** Cell with a name or URL, and details below it. */
export function TwoLines({ main, second = "", children }: { main: string; second?: string; children?: ReactNode }) {
	return (
		<Table.Td mod="anywhere">
			<Breakable>{main}</Breakable>
			{second ? (
				<Small>
					<Breakable>{second}</Breakable>
				</Small>
			) : null}
			{children}
		</Table.Td>
	);
}
