import { Button, Group, TextInput } from "@mantine/core";
import { IconRefresh, IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { usePageKey } from "@/lib/page-keys";

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
	const find = usePageKey("find");
	return (
		<Group gap="xs">
			<TextInput
				size="xs"
				type="search"
				flex="1 1 16rem"
				aria-label={label}
				placeholder={label}
				leftSection={<IconSearch size={16} aria-hidden />}
				value={search}
				onChange={(event) => onSearch(event.currentTarget.value)}
				{...find}
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
