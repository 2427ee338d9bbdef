import { Group, Pagination, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const perPage = 50;

export interface PagesHandle<T> {
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
