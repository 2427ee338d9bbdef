import { Button, Stack } from "@mantine/core";
import { IconReportSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, SiteView } from "@/bridge";
import { AfterRun } from "@/components/after-run";
import { useBring } from "@/lib/brought";
import { isAct } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";

interface EntryActionsProps {
	entry: HistoryEntry;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	onOpenReport: () => void;
}

export function EntryActions({ entry, site, onOpenReport }: EntryActionsProps) {
	const { t } = useTranslation("history");
	const bring = useBring();
	const { go } = useNavigation();
	const { operation, parameters, startedAt: sentAt } = entry;
	const again =
		site && !isAct(operation)
			? {
					label: t("details.runAgain"),
					onAgain: () => bring({ site: site.id, server: entry.server }, operation, { parameters, sentAt }),
				}
			: null;
	return (
		<Stack gap="sm">
			{entry.hasReport ? (
				<Button
					leftSection={<IconReportSearch size={16} aria-hidden />}
					onClick={onOpenReport}
					style={{ alignSelf: "flex-start" }}
				>
					{t("details.openReport")}
				</Button>
			) : null}
			{entry.operation === "rehearse" && entry.endedAt !== null ? (
				<Button
					leftSection={<IconReportSearch size={16} aria-hidden />}
					onClick={() => go({ page: "receipt", site: entry.site, record: entry.id })}
					style={{ alignSelf: "flex-start" }}
				>
					{t("details.openReceipt")}
				</Button>
			) : null}
			<AfterRun record={entry.id} again={again} wire={false} />
		</Stack>
	);
}
