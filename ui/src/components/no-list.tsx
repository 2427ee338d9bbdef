import { Button, Group, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import type { Problem } from "@/bridge";
import { EmptyState } from "./empty-state";
import { RefreshList } from "./list-tools";
import { LoadingRows } from "./loading-rows";
import { ProblemNotice } from "./problem-notice";

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
			{list.error ? <ProblemNotice problem={list.error} /> : null}
			<EmptyState {...empty} action={ways} />
		</Stack>
	);
}
