import { Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { ListTools } from "./list-tools";
import { Pages, usePages } from "./pages";

interface SearchedListProps<T>
	extends Pick<ComponentProps<typeof ListTools>, "label" | "search" | "onSearch" | "refresh"> {
	/** Query of the list, which the refresh button repeats. */
	list: Pick<UseQueryResult, "isFetching" | "refetch">;
	/** Items that match the search. */
	items: readonly T[];
	pagesLabel: string;
	/** Text shown if nothing matches. */
	none: string;
	hint?: ReactNode;
	/** Renders the items of a page. */
	children: (shown: readonly T[]) => ReactNode;
}

/** Searchable list of a site, in pages. */
export function SearchedList<T>({ list, items, pagesLabel, none, hint, children, ...tools }: SearchedListProps<T>) {
	const pages = usePages(items);
	return (
		<Stack gap="xs">
			<ListTools {...tools} refreshing={list.isFetching} onRefresh={() => void list.refetch()} />
			{hint}
			{pages.total === 0 ? (
				<Text c="dimmed" role="status" py="md" ta="center">
					{none}
				</Text>
			) : (
				children(pages.shown)
			)}
			<Pages handle={pages} label={pagesLabel} />
		</Stack>
	);
}
