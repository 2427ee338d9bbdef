import { Box, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPrinter } from "@tabler/icons-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import {
	type BatchId,
	type HistoryEntry,
	type HistoryFormat,
	type HistoryPlace,
	type HistorySearch,
	type RecordId,
	type SiteView,
	useBackend,
} from "@/bridge";
import { SaveMenu } from "@/components/menu";
import { CommandButton, LoadingRows, ProblemNotice } from "@/components/notice";
import { Page } from "@/components/page";
import { SaveStatus } from "@/components/saved-file";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatAgo } from "@/lib/format";
import { outcomeNow } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import { usePrintRequest } from "@/lib/print-request";
import { batchesOn, damagedOn, useBatches, useHistory, useRecord } from "@/lib/queries/history";
import { useBusySites } from "@/lib/runs";
import { useCommand } from "@/lib/use-command";
import { AuditTrail } from "./audit-trail";
import { BatchDetails, HistoryDetails, HistoryReport } from "./history-details";
import classes from "./history-details.module.css";
import { type Filters, HistoryFilters, isFiltered, noFilters, searchFor } from "./history-filters";
import { Count, Found, type RowId, rowOf } from "./history-list";
import { PrintedHistory } from "./printed-history";
import { PackageStatus, useSavePackage } from "./save-trail";

/** What is beside the list. */
interface Opened {
	entry: HistoryEntry | null;
	/** Batch with its newest listed entry. */
	batch: { id: BatchId; head: HistoryEntry } | null;
	/** Entry of the link that opened the history. */
	linked: RecordId | null;
	/** Entry whose outcome is checked at once. */
	checked: RecordId | null;
}

const nothing: Opened = { entry: null, batch: null, linked: null, checked: null };

/** Filters are shared by all sites. */
const filtersKey = draftKey<Filters>()("");

/** Delay of the search after a key press, in milliseconds. */
const searchDelay = 150;

export function HistoryPage({ sites }: { sites: readonly SiteView[] }) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const [filters, setFilters] = useSessionState(filtersKey, noFilters);
	const [{ entry: open, batch: openBatch, linked, checked }, setOpen] = useState(nothing);
	const [selected, setSelected] = useState<readonly RowId[]>([]);
	const [unfolded, setUnfolded] = useState<readonly BatchId[]>([]);
	const opened = useBatches(unfolded);
	const unfold = (batch: BatchId, isOpen: boolean) =>
		setUnfolded((before) => [...before.filter((id) => id !== batch), ...(isOpen ? [batch] : [])]);
	const { place, go } = useNavigation();
	const reportOf = place.page === "history" && place.report ? place.record : undefined;
	// Opening the history again starts from the beginning.
	useEffect(() => {
		setSelected([]);
		setOpen({ ...nothing, checked: place.page === "history" && place.check ? (place.record ?? null) : null });
	}, [place]);
	useLinkedRecord(useCallback((entry) => setOpen((now) => ({ ...now, entry, linked: entry.id })), []));
	const [text] = useDebouncedValue(filters.text, searchDelay);
	const search = searchFor({ ...filters, text });
	const history = useHistory(search);
	const save = useCommand((backend, format: HistoryFormat) => backend.saveHistory(search, format));
	const savePackage = useSavePackage();
	const { hasNextPage, isFetchingNextPage, fetchNextPage } = history;
	const readOn = useCallback(() => {
		if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
	}, [hasNextPage, isFetchingNextPage, fetchNextPage]);

	const busy = useBusySites();
	const found = history.data?.pages.flatMap((page) => page.entries) ?? [];
	const damaged = damagedOn(history.data?.pages ?? []);
	const batches = batchesOn(history.data?.pages ?? []);
	const { outcome } = filters;
	const isListed = (entry: HistoryEntry) =>
		entry.outcome !== "sent" || outcome === null || outcomeNow(entry, busy) === outcome;
	const entries = found.filter(isListed);
	const { printed, ...print } = usePrint(search, filters, isListed);
	const canPrint = reportOf === undefined && entries.length > 0 && !print.isPending;
	usePrintRequest(() => {
		if (canPrint) print.mutate();
	});
	const shown = useEntry(entries, open?.id) ?? open;
	const report = useEntry(found, reportOf);

	const split = useRef<HTMLDivElement>(null);
	const shownBatch = openBatch && batches.find(({ id }) => id === openBatch.id);
	const recordsOf = async (row: RowId): Promise<readonly RecordId[]> =>
		batches.some(({ id }) => id === row) ? (await backend.historyBatch(row)).map(({ id }) => id) : [row];
	const close = () => {
		const hadFocus = split.current?.contains(document.activeElement);
		// In a narrow window, the list is rendered only after this.
		flushSync(() => setOpen((now) => ({ ...nothing, linked: now.linked })));
		if (!hadFocus) return;
		// Focus the row of the closed details; the row with the tab stop if that one is not rendered.
		const stop = split.current?.querySelector<HTMLElement>("[role=row][tabindex='0']");
		(rowOf(split.current, shown?.id ?? shownBatch?.id) ?? stop)?.focus();
	};
	const closeByKey = (event: KeyboardEvent<HTMLElement>) => {
		// Dialogs opened from here handle Escape themselves.
		if (event.key !== "Escape" || event.defaultPrevented || !event.currentTarget.contains(event.target as Node)) return;
		if (shown || shownBatch) close();
	};

	if (report) {
		return <HistoryReport entry={report} onBack={() => go({ page: "history", record: report.id })} />;
	}

	return (
		<Page
			title={t("title")}
			width="wide"
			actions={
				<>
					<CommandButton command={print} label={t("print")} icon={IconPrinter} disabled={entries.length === 0} />
					<SaveMenu
						label={t("saveList.button")}
						formats={formats}
						nameOf={(format) => t(`saveList.${format}`)}
						save={save}
						disabled={entries.length === 0}
					/>
				</>
			}
		>
			<HistoryFilters filters={filters} onChange={setFilters} sites={sites} />
			<AuditTrail search={search}>
				{history.data ? (
					<Count
						entries={entries}
						damaged={damaged}
						more={hasNextPage}
						selected={selected}
						filtered={isFiltered(filters)}
						onClear={() => setFilters(noFilters)}
						recordsOf={recordsOf}
						save={savePackage}
					/>
				) : null}
			</AuditTrail>
			<PackageStatus save={savePackage} />
			<SaveStatus save={save} label={t("saved.path")} dismissed={t("saved.dismissed")} />
			<ProblemNotice problem={print.error} />
			{printed ? <PrintedHistory {...printed} sites={sites} /> : null}
			{history.error ? (
				<Stack gap="xs">
					<ProblemNotice problem={history.error} onRetry={() => void history.refetch()} />
					{history.data ? <Text>{t("stale", { ago: formatAgo(history.dataUpdatedAt) })}</Text> : null}
				</Stack>
			) : null}
			{history.isPending ? <LoadingRows rows={8} /> : null}
			<Box
				ref={split}
				className={classes.split ?? ""}
				data-open={shown || shownBatch ? true : undefined}
				onKeyDown={closeByKey}
			>
				<div>
					{history.data ? (
						<Found
							entries={entries}
							batches={batches}
							opened={opened}
							damaged={damaged}
							more={hasNextPage}
							filtered={isFiltered(filters)}
							onClear={() => setFilters(noFilters)}
							open={shown?.id ?? shownBatch?.id ?? null}
							linked={linked}
							onOpen={(entry) => setOpen({ ...nothing, entry })}
							onOpenBatch={({ id }, head) => setOpen({ ...nothing, batch: { id, head } })}
							onUnfold={unfold}
							selected={selected}
							onSelect={setSelected}
							onEnd={readOn}
						/>
					) : null}
				</div>
				{shown ? (
					<HistoryDetails
						key={shown.id}
						entry={shown}
						site={sites.find(({ id }) => id === shown.site) ?? null}
						checked={shown.id === checked}
						takesFocus={shown.id === linked}
						onClose={close}
						onOpenReport={() => go({ page: "history", record: shown.id, report: true })}
					/>
				) : openBatch && shownBatch ? (
					<BatchDetails key={openBatch.id} batch={shownBatch} head={openBatch.head} onClose={close} />
				) : null}
			</Box>
		</Page>
	);
}

/** Returns an entry. One that the filters do not match, or no longer match, is read separately. */
function useEntry(entries: readonly HistoryEntry[], record: RecordId | undefined): HistoryEntry | undefined {
	const listed = entries.find(({ id }) => id === record);
	const hidden = useRecord(listed ? null : (record ?? null));
	return listed ?? (record === undefined ? undefined : hidden.data?.entry);
}

/** Opens the entry of the link that led here. If it does not exist, nothing is opened. */
function useLinkedRecord(open: (entry: HistoryEntry) => void): void {
	const backend = useBackend();
	const { place } = useNavigation();
	useEffect(() => {
		if (place.page !== "history" || place.record === undefined || place.report) return;
		let wanted = true;
		backend.recordDetails(place.record).then(
			({ entry }) => {
				if (wanted) open(entry);
			},
			() => {},
		);
		return () => {
			wanted = false;
		};
	}, [backend, place, open]);
}

const formats: readonly HistoryFormat[] = ["csv", "json"];

/** Maximum length of a page that the backend returns. */
const pageLength = 5_000;

/**
 * Reads all results of a search and prints them. The printed list stays in the document, because the system dialog is
 * still open.
 */
function usePrint(search: HistorySearch, filters: Filters, isListed: (entry: HistoryEntry) => boolean) {
	const [printed, setPrinted] = useState<{ entries: HistoryEntry[]; damaged: number; filters: Filters } | null>(null);
	const print = useCommand((backend) => backend.printPage(), ["printPage"]);
	const read = useCommand(
		async (backend) => {
			const entries: HistoryEntry[] = [];
			let damaged = 0;
			let place: HistoryPlace | null = null;
			do {
				const page = await backend.searchHistory(search, place, pageLength);
				entries.push(...page.entries.filter(isListed));
				damaged += page.damaged.reduce((sum, { count }) => sum + count, 0);
				place = page.older;
			} while (place !== null);
			// The user can change the filters while the pages are read.
			return { entries, damaged, filters };
		},
		["printPage"],
		{
			onDone: (all) => {
				flushSync(() => setPrinted(all));
				print.mutate();
			},
		},
	);
	return {
		printed,
		mutate: read.mutate,
		isPending: read.isPending || print.isPending,
		error: read.error ?? print.error,
	};
}
