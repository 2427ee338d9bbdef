import { Group, Table, UnstyledButton } from "@mantine/core";
import { IconArrowsSort, IconSortAscending, IconSortDescending } from "@tabler/icons-react";

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
