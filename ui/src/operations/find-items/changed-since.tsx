import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type HistorySearch, type ItemSearchView, type SiteId, useBackend } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { queryKeys } from "@/lib/queries";

/** Whether an import from this program, or the undoing of one, may have changed the data store since it answered. */
export function useChangedSince(site: SiteId, search: ItemSearchView | null): boolean {
	const backend = useBackend();
	const imports: HistorySearch = {
		...{ text: "", site, operation: "import_server", username: null, from: null, to: null },
		// An import that failed might have replaced parts of the site.
		outcomes: ["succeeded", "warnings", "failed", "unknown"],
	};
	const newest = useQuery({
		queryKey: [...queryKeys.history, "imports", site],
		queryFn: async () => (await backend.searchHistory(imports, null, 1)).entries[0] ?? null,
		enabled: search !== null,
	}).data;
	return Boolean(search && newest && (newest.endedAt ?? newest.startedAt) > search.at);
}

/** Says so, and takes the place of the button that searches again. */
export function ChangedSince({ onAgain }: { onAgain: () => void }) {
	const { t } = useTranslation("findItems");
	const key = usePageKey("refresh");
	return (
		<Group gap="xs" role="status">
			<Text size="sm" c="dimmed">
				{t("changedSince")}
			</Text>
			<Button variant="default" leftSection={<IconRefresh size={14} aria-hidden />} onClick={onAgain} {...key}>
				{t("again")}
			</Button>
		</Group>
	);
}
