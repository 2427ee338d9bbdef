import { Button, Group } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { usePageKey } from "@/lib/page-keys";
import { SearchField } from "./search-field";

interface RefreshListProps {
	/** Label of the button. */
	refresh: string;
	refreshing: boolean;
	onRefresh: () => void;
}

interface ListToolsProps extends RefreshListProps {
	/** What can be searched, as a placeholder and for a screen reader. */
	label: string;
	search: string;
	onSearch: (search: string) => void;
	/** Between the two. */
	children?: ReactNode;
}

/** Above a list that the site gave: a search in it, and the way to a newer one. */
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
			{/* Together below the search where all have no room on one line. */}
			<Group gap="xs">
				{children}
				<RefreshList refresh={refresh} refreshing={refreshing} onRefresh={onRefresh} />
			</Group>
		</Group>
	);
}

/** The way to a newer list; alone beside a list that is empty. */
export function RefreshList({ refresh, refreshing, onRefresh }: RefreshListProps) {
	const key = usePageKey("refresh");
	return (
		<Button leftSection={<IconRefresh size={16} aria-hidden />} loading={refreshing} onClick={onRefresh} {...key}>
			{refresh}
		</Button>
	);
}
