import { Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconFilterOff, IconHistory, IconSearch } from "@tabler/icons-react";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, SiteView } from "@/bridge";
import { EmptyState } from "@/components/empty-state";
import { LoadingRows } from "@/components/loading-rows";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { formatAgo } from "@/lib/format";
import { useHistoryName } from "@/lib/history-words";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { useHistory } from "@/lib/queries";
import { useWantedRecord } from "@/lib/use-wanted-record";
import { filterHistory } from "./filter-history";
import { HistoryDetails } from "./history-details";
import { HistoryReport } from "./history-report";
import { HistoryTable } from "./history-table";

interface HistoryPageProps {
	sites: readonly SiteView[];
	ImportReportViewer: ComponentType<ImportReportViewerProps>;
}

export function HistoryPage({ sites, ImportReportViewer }: HistoryPageProps) {
	const { t } = useTranslation(["history", "common"]);
	const [site, setSite] = useState<string | null>(null);
	const [search, setSearch] = useState("");
	const [open, setOpen] = useState<HistoryEntry | null>(null);
	const [report, setReport] = useState<HistoryEntry | null>(null);
	useWantedRecord(setOpen);
	const history = useHistory(site);

	if (report) return <HistoryReport entry={report} onBack={() => setReport(null)} Viewer={ImportReportViewer} />;

	const filtered = site !== null || search.trim() !== "";
	const clear = () => {
		setSite(null);
		setSearch("");
	};
	return (
		<Page title={t("title")} description={t("description")} width="full">
			<Group align="flex-end" gap="sm">
				<TextInput
					w={280}
					label={t("search")}
					placeholder={t("searchHint")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={search}
					onChange={(event) => setSearch(event.currentTarget.value)}
				/>
				<Select
					w={220}
					label={t("filterSite")}
					data={sites.map(({ id, name }) => ({ value: id, label: name }))}
					value={site}
					onChange={setSite}
					placeholder={t("allSites")}
					clearable
				/>
			</Group>
			{history.error ? (
				<Stack gap="xs">
					<ProblemNotice problem={history.error} onRetry={() => void history.refetch()} />
					{history.data ? <Text size="sm">{t("stale", { ago: formatAgo(history.dataUpdatedAt) })}</Text> : null}
				</Stack>
			) : null}
			{history.isPending ? <LoadingRows rows={6} /> : null}
			{history.data ? (
				<Entries entries={history.data} search={search} filtered={filtered} onClear={clear} onOpen={setOpen} />
			) : null}
			<HistoryDetails
				entry={history.data?.find(({ id }) => id === open?.id) ?? open}
				onClose={() => setOpen(null)}
				onOpenReport={(entry) => {
					setOpen(null);
					setReport(entry);
				}}
			/>
		</Page>
	);
}

interface EntriesProps {
	entries: readonly HistoryEntry[];
	search: string;
	filtered: boolean;
	onClear: () => void;
	onOpen: (entry: HistoryEntry) => void;
}

function Entries({ entries, search, filtered, onClear, onOpen }: EntriesProps) {
	const { t } = useTranslation("history");
	const common = useTranslation("common").t;
	const found = filterHistory(entries, search, common, useHistoryName());
	if (found.length > 0) return <HistoryTable entries={found} onOpen={onOpen} />;
	if (!filtered) {
		return (
			<EmptyState icon={IconHistory} title={t("empty.title")}>
				{t("empty.body")}
			</EmptyState>
		);
	}
	return (
		<EmptyState
			icon={IconFilterOff}
			title={t("noMatch.title")}
			action={
				<Button variant="default" onClick={onClear}>
					{t("noMatch.clear")}
				</Button>
			}
		>
			{t("noMatch.body")}
		</EmptyState>
	);
}
