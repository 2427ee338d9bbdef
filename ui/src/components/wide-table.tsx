import { Group, Table, type TableThProps, UnstyledButton } from "@mantine/core";
import { IconArrowsSort, IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Gap } from "@/bridge";
import { useGapText } from "@/lib/gap-text";
import { Breakable, Small } from "./text";

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
			// The border is that of the visible area: the right edge of the table itself is out of view until it is scrolled.
			style={{ border: "1px solid var(--rim)", background: "var(--card-ground)" }}
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

interface GapRowProps {
	gap: Gap;
	/** Folder or collaboration; empty for the whole list. */
	of: string;
}

/** Table row that states what a site left out of the list. */
export function GapRow({ gap, of }: GapRowProps) {
	const gapText = useGapText();
	return (
		<Table.Tr>
			<Table.Td colSpan={4} mod="anywhere">
				{gapText(gap, of)}
			</Table.Td>
		</Table.Tr>
	);
}

export interface SortOrder<C extends string> {
	column: C;
	descending: boolean;
}

interface SortHeaderProps<C extends string> {
	column: C;
	label: string;
	/** `null`: order of the site. */
	order: SortOrder<C> | null;
	onOrder: (order: SortOrder<C>) => void;
}

export function SortHeader<C extends string>({ column, label, order, onOrder }: SortHeaderProps<C>) {
	const sorted = order?.column === column;
	const descending = sorted && order.descending;
	const Icon = sorted ? (descending ? IconSortDescending : IconSortAscending) : IconArrowsSort;
	return (
		<Table.Th aria-sort={sorted ? (descending ? "descending" : "ascending") : "none"}>
			<UnstyledButton
				fz="inherit"
				fw="inherit"
				onClick={() => onOrder({ column, descending: sorted && !order.descending })}
			>
				<Group gap={4} wrap="nowrap" component="span">
					{label}
					<Icon size={14} aria-hidden color={sorted ? "currentColor" : "var(--mantine-color-dimmed)"} />
				</Group>
			</UnstyledButton>
		</Table.Th>
	);
}
