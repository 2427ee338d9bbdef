import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ItemSearchView, SiteId } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { useReplacedAt } from "@/lib/queries/history";

/** Whether an import or its undo by the app might have changed the data store since the search. */
export function useChangedSince(site: SiteId, search: ItemSearchView | null): boolean {
	const replacedAt = useReplacedAt(site, search !== null);
	return search !== null && replacedAt > search.at;
}

/** Notice that the results might be outdated. Replaces the button that searches again. */
export function ChangedSince({ onAgain }: { onAgain: () => void }) {
	const { t } = useTranslation("findItems");
	const key = usePageKey("refresh");
	return (
		<Group gap="xs" role="status">
			<Text c="dimmed">{t("changedSince")}</Text>
			<Button leftSection={<IconRefresh size={14} aria-hidden />} onClick={onAgain} {...key}>
				{t("again")}
			</Button>
		</Group>
	);
}
