import { Stack, Text } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { ListTools } from "./list-tools";
import { Pages, type PagesHandle } from "./pages";

interface SearchedListProps<T> extends Omit<ComponentProps<typeof ListTools>, "children"> {
	pages: PagesHandle<T>;
	pagesLabel: string;
	/** Text shown if nothing matches. */
	none: string;
	hint?: ReactNode;
	children: ReactNode;
}

/** Searchable list of a site, in pages. */
export function SearchedList<T>({ pages, pagesLabel, none, hint, children, ...tools }: SearchedListProps<T>) {
	return (
		<Stack gap="xs">
			<ListTools {...tools} />
			{hint}
			{pages.total === 0 ? (
				<Text c="dimmed" role="status" py="md" ta="center">
					{none}
				</Text>
			) : (
				children
			)}
			<Pages handle={pages} label={pagesLabel} />
		</Stack>
	);
}
