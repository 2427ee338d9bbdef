import { Button, Group } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { usePageKey } from "@/lib/page-keys";
import { SearchField } from "./search-field";

interface RefreshListProps {
	refresh: string;
	refreshing: boolean;
	onRefresh: () => void;
}

interface ListToolsProps extends RefreshListProps {
	/** Placeholder and accessible name of the search. */
	label: string;
	search: string;
	onSearch: (search: string) => void;
	/** Shown between the search and the button. */
	children?: ReactNode;
}

/** Search and refresh button above a list of the site. */
export function ListTools({ label, search, onSearch, refresh, refreshing, onRefresh, children }: ListToolsProps) {
	return (
		<Group gap="xs">
			<SearchField
				size="xs"
				flex="1 1 16rem"
				aria-label={label}
				placeholder={label}
				value={search}
				onChange={onSearch}
			/>
			{/* Wraps as one group below the search. */}
			<Group gap="xs">
				{children}
				<RefreshList refresh={refresh} refreshing={refreshing} onRefresh={onRefresh} />
			</Group>
		</Group>
	);
}

/** Refresh button, alone beside an empty list. */
export function RefreshList({ refresh, refreshing, onRefresh }: RefreshListProps) {
	const key = usePageKey("refresh");
	return (
		<Button leftSection={<IconRefresh size={16} aria-hidden />} loading={refreshing} onClick={onRefresh} {...key}>
			{refresh}
		</Button>
	);
}
