import "@mantine/dates/styles.layer.css";
import { Box, Button, Group, SegmentedControl, Select, type SelectProps, SimpleGrid, Stack } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import { IconCalendar, IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryKey,
	type HistorySearch,
	type Outcome,
	operations,
	type ServerId,
	type SiteId,
	type SiteView,
} from "@/bridge";
import { SearchField } from "@/components/path-field";
import { useCalendarLabels } from "@/lib/calendar-labels";
import { dayPattern } from "@/lib/format";
import { historyActs, useHistoryName } from "@/lib/history-text";
import { useNavigation } from "@/lib/navigation";
import { useHistoryPeople } from "@/lib/queries/history";
import { useServerWithKind } from "@/lib/server-kind";

interface HistoryFiltersProps {
	filters: Filters;
	onChange: (filters: Filters) => void;
	sites: readonly SiteView[];
}

const outcomes: readonly Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent", "sent"];

export function HistoryFilters({ filters, onChange, sites }: HistoryFiltersProps) {
	const { t } = useTranslation(["history", "common"]);
	const labelOf = useServerWithKind();
	const calendar = useCalendarLabels();
	const nameOf = useHistoryName();
	const people = useHistoryPeople().data ?? [];
	const change = (some: Partial<Filters>) => onChange({ ...filters, ...some });
	// Searches have no history entries, so they are not offered.
	const keys: HistoryKey[] = [
		...operations.filter(({ impact }) => impact !== "none").map(({ key }) => key),
		...historyActs,
	];
	const { site: here } = useNavigation();
	const isHere = filters.site !== null && filters.site === here?.id;
	const chosen = countChosen(filters) + (filters.site !== null && !isHere ? 1 : 0);
	const servers = sites.find(({ id }) => id === filters.site)?.servers ?? [];
	const [isOpen, setIsOpen] = useState(chosen > 0);
	const fields = useId();
	return (
		<Stack gap="xs" role="search" aria-label={t("filters")}>
			<Group gap="xs">
				<SearchField
					size="xs"
					flex="1 1 8rem"
					aria-label={t("search")}
					placeholder={t("searchHint")}
					value={filters.text}
					onChange={(text) => change({ text })}
				/>
				<SegmentedControl
					size="xs"
					aria-label={t("days")}
					data={periods.map((period) => ({ value: period, label: t(`period.${period}`) }))}
					// None is selected for days that the user entered.
					value={periodOf(filters.days) ?? ""}
					onChange={(period) => change({ days: daysOf(period as Period) })}
				/>
				{here ? (
					<Button
						variant={isHere ? "light" : "default"}
						aria-pressed={isHere}
						onClick={() => change({ site: isHere ? null : here.id, server: null })}
					>
						{t("thisSite")}
					</Button>
				) : null}
				<Button
					rightSection={isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
					aria-expanded={isOpen}
					aria-controls={fields}
					onClick={() => setIsOpen(!isOpen)}
				>
					{chosen > 0 ? t("filtersChosen", { count: chosen }) : t("filters")}
				</Button>
			</Group>
			<Box id={fields} hidden={!isOpen}>
				{isOpen ? (
					<SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
						<Filter
							label={t("filterSite")}
							data={sites.map(({ id, name }) => ({ value: id, label: name }))}
							value={filters.site}
							onChange={(site) => change({ site, server: null })}
							placeholder={t("allSites")}
							clear={t("clear.site")}
						/>
						{servers.length > 1 ? (
							<Filter
								label={t("filterServer")}
								data={servers.flatMap((server) =>
									server.id === null ? [] : { value: server.id, label: labelOf(server) },
								)}
								value={filters.server}
								onChange={(server) => change({ server })}
								placeholder={t("allServers")}
								clear={t("clear.server")}
							/>
						) : null}
						<Filter
							label={t("operation")}
							data={keys.map((key) => ({ value: key, label: nameOf(key) }))}
							value={filters.operation}
							onChange={(operation) => change({ operation })}
							placeholder={t("allOperations")}
							clear={t("clear.operation")}
						/>
						<Filter
							label={t("outcome")}
							data={outcomes.map((outcome) => ({ value: outcome, label: t(`common:outcome.${outcome}`) }))}
							value={filters.outcome}
							onChange={(outcome) => change({ outcome })}
							placeholder={t("allOutcomes")}
							clear={t("clear.outcome")}
						/>
						<Filter
							label={t("who")}
							data={people}
							value={filters.username}
							onChange={(username) => change({ username })}
							placeholder={t("everybody")}
							searchable
							clear={t("clear.who")}
						/>
						<DatePickerInput
							type="range"
							highlightToday
							weekendDays={[]}
							label={t("days")}
							placeholder={t("allDays")}
							leftSection={<IconCalendar size={16} aria-hidden />}
							value={filters.days}
							onChange={(days) => change({ days })}
							allowSingleDateInRange
							clearable
							clearButtonProps={{ "aria-label": t("clear.days") }}
							valueFormat={dayPattern()}
							ariaLabels={calendar}
						/>
					</SimpleGrid>
				) : null}
			</Box>
		</Stack>
	);
}

interface FilterProps<V extends string> extends SelectProps<V> {
	/** Name of the button that clears the filter. */
	clear: string;
}

function Filter<V extends string>({ clear, ...select }: FilterProps<V>) {
	return <Select clearable clearButtonProps={{ "aria-label": clear }} {...select} />;
}

/** First and last day as the date field writes them, for example "2026-11-20". */
type Days = [string | null, string | null];

export interface Filters {
	text: string;
	site: SiteId | null;
	/** Server of `site`. */
	server: ServerId | null;
	operation: HistoryKey | null;
	outcome: Outcome | null;
	username: string | null;
	days: Days;
}

export const noFilters: Filters = {
	text: "",
	site: null,
	server: null,
	operation: null,
	outcome: null,
	username: null,
	days: [null, null],
};

const periods = ["today", "week", "month", "all"] as const;
export type Period = (typeof periods)[number];

export function daysOf(period: Period, now = new Date()): Days {
	const day = (year: number, month: number, date: number) => {
		const at = new Date(year, month, date);
		const two = (n: number) => String(n).padStart(2, "0");
		return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
	};
	const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
	if (period === "all") return noFilters.days;
	const first = { today: date, week: date - 6, month: 1 }[period];
	return [day(year, month, first), day(year, month, date)];
}

/** Returns the period of some days; `null` for other days. */
export function periodOf(days: Days, now = new Date()): Period | null {
	return periods.find((period) => daysOf(period, now).join() === days.join()) ?? null;
}

export function isFiltered(filters: Filters): boolean {
	return filters.text.trim() !== "" || filters.site !== null || countChosen(filters) > 0 || isDated(filters);
}

/**
 * Counts the filters in the fields that can be collapsed, except the site. A period is not counted, because it is
 * chosen outside of them.
 */
export function countChosen({ server, operation, outcome, username, days }: Filters): number {
	const chosen = [server, operation, outcome, username].filter((value) => value !== null).length;
	return periodOf(days) === null ? chosen + 1 : chosen;
}

function isDated({ days }: Filters): boolean {
	return days.some((day) => day !== null);
}

/** Returns the search of the backend. Days are whole days by the clock of this computer. */
export function searchFor({
	text,
	site,
	server,
	operation,
	outcome,
	username,
	days: [from, to],
}: Filters): HistorySearch {
	return {
		text,
		site,
		server,
		operation,
		username,
		// The outcome of an entry that is recorded as running might be unknown by now.
		outcomes: outcome === "unknown" ? ["unknown", "sent"] : outcome ? [outcome] : [],
		from: from === null ? null : new Date(`${from}T00:00:00`).getTime(),
		to: to === null ? null : new Date(`${to}T23:59:59.999`).getTime(),
	};
}
