import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ItemSearchView, type Outcome, operations, type SiteId, useBackend } from "@/bridge";
import { newestEntry } from "@/lib/newest-entry";
import { usePageKey } from "@/lib/page-keys";
import { queryKeys } from "@/lib/queries";

const replacing = operations.filter(({ impact, component }) => impact === "replaces" && component === "server");

/** Also of one that failed: it might have replaced parts of the site. */
const outcomes: Outcome[] = ["succeeded", "warnings", "failed", "unknown"];

/** Whether an import from this program, or the undoing of one, may have changed the data store since it answered. */
export function useChangedSince(site: SiteId, search: ItemSearchView | null): boolean {
	const backend = useBackend();
	const newest = useQuery({
		queryKey: [...queryKeys.history, "replaced", site],
		queryFn: () => Promise.all(replacing.map(({ key }) => newestEntry(backend, { site, operation: key, outcomes }))),
		enabled: search !== null,
	}).data;
	return Boolean(search && newest?.some((entry) => entry && (entry.endedAt ?? entry.startedAt) > search.at));
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
			<Button
				size="compact-sm"
				variant="default"
				leftSection={<IconRefresh size={14} aria-hidden />}
				onClick={onAgain}
				{...key}
			>
				{t("again")}
			</Button>
		</Group>
	);
}
