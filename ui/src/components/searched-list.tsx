import { Button, Group, Pagination, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { LoadingRows, ProblemNotice } from "./notice";
import { EmptyState } from "./page";
import { SearchField } from "./path-field";
import { IconButton } from "./text";

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
	return <IconButton label={refresh} icon={IconRefresh} loading={refreshing} onClick={onRefresh} {...key} />;
}

interface NoListProps extends Omit<ComponentProps<typeof EmptyState>, "action"> {
	list: UseQueryResult<readonly unknown[], Problem>;
	refresh: string;
	/** Label of the button that continues without the list. */
	other: string;
	onOther: () => void;
}

/** Shown instead of a list that is loading, could not be read, or is empty. */
export function NoList({ list, refresh, other, onOther, ...empty }: NoListProps) {
	const read = () => void list.refetch();
	const way = <Button onClick={onOther}>{other}</Button>;
	if (list.isPending) return <LoadingRows rows={5} />;
	if (!list.data) {
		return (
			<Stack>
				<ProblemNotice problem={list.error} onRetry={read} />
				<Group>{way}</Group>
			</Stack>
		);
	}
	const ways = (
		<Group gap="xs" justify="center">
			{way}
			<RefreshList refresh={refresh} refreshing={list.isFetching} onRefresh={read} />
		</Group>
	);
	return (
		<Stack>
			<ProblemNotice problem={list.error} />
			<EmptyState {...empty} action={ways} />
		</Stack>
	);
}

const perPage = 50;

interface PagesHandle<T> {
	shown: readonly T[];
	page: number;
	pages: number;
	total: number;
	go: (page: number) => void;
}

/** Splits a long list into pages. If a filter removes the current page, the last one is shown. */
export function usePages<T>(all: readonly T[]): PagesHandle<T> {
	const [wanted, go] = useState(1);
	const pages = Math.max(1, Math.ceil(all.length / perPage));
	const page = Math.min(wanted, pages);
	return { shown: all.slice((page - 1) * perPage, page * perPage), page, pages, total: all.length, go };
}

/** Page navigation; renders nothing if there is only one page. */
export function Pages<T>({ handle, label }: { handle: PagesHandle<T>; label: string }) {
	const { t } = useTranslation();
	const { page, pages, total, go } = handle;
	if (pages === 1) return null;
	const from = (page - 1) * perPage + 1;
	const to = Math.min(page * perPage, total);
	const names = { first: "first", previous: "previous", next: "next", last: "last" } as const;
	return (
		<Group justify="space-between" gap="xs">
			<Text c="dimmed" role="status">
				{t("pages.shown", { from, to, total })}
			</Text>
			<Pagination
				size="sm"
				total={pages}
				value={page}
				onChange={go}
				aria-label={label}
				getItemProps={(item) => ({ "aria-label": t("pages.page", { page: item }) })}
				getControlProps={(control) => ({ "aria-label": t(`pages.${names[control]}`) })}
			/>
		</Group>
	);
}
