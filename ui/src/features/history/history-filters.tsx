import "@mantine/dates/styles.layer.css";
import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import { IconCalendar, IconSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type HistoryKey, type Outcome, operations, type SiteView } from "@/bridge";
import { dayPattern } from "@/lib/format";
import { historyActs, useHistoryName } from "@/lib/history-text";
import { usePageKey } from "@/lib/page-keys";
import type { Filters } from "./filters";
import { useHistoryPeople } from "./use-history";

interface HistoryFiltersProps {
	filters: Filters;
	onChange: (filters: Filters) => void;
	sites: readonly SiteView[];
}

const outcomes: readonly Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent", "sent"];

export function HistoryFilters({ filters, onChange, sites }: HistoryFiltersProps) {
	const { t } = useTranslation(["history", "common"]);
	const find = usePageKey("find");
	const nameOf = useHistoryName();
	const people = useHistoryPeople().data ?? [];
	const change = (some: Partial<Filters>) => onChange({ ...filters, ...some });
	// A search looks at what was recorded: a search for data items leaves no record.
	const keys: HistoryKey[] = [
		...operations.filter(({ impact }) => impact !== "none").map(({ key }) => key),
		...historyActs,
	];
	return (
		<SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" role="search" aria-label={t("filters")}>
			<TextInput
				label={t("search")}
				placeholder={t("searchHint")}
				leftSection={<IconSearch size={16} aria-hidden />}
				value={filters.text}
				onChange={(event) => change({ text: event.currentTarget.value })}
				{...find}
			/>
			<Select
				label={t("filterSite")}
				data={sites.map(({ id, name }) => ({ value: id, label: name }))}
				value={filters.site}
				onChange={(site) => change({ site })}
				placeholder={t("allSites")}
				clearable
				clearButtonProps={{ "aria-label": t("clear.site") }}
			/>
			<Select
				label={t("operation")}
				data={keys.map((key) => ({ value: key, label: nameOf(key) }))}
				value={filters.operation}
				onChange={(operation) => change({ operation })}
				placeholder={t("allOperations")}
				clearable
				clearButtonProps={{ "aria-label": t("clear.operation") }}
			/>
			<Select
				label={t("outcome")}
				data={outcomes.map((outcome) => ({ value: outcome, label: t(`common:outcome.${outcome}`) }))}
				value={filters.outcome}
				onChange={(outcome) => change({ outcome })}
				placeholder={t("allOutcomes")}
				clearable
				clearButtonProps={{ "aria-label": t("clear.outcome") }}
			/>
			<Select
				label={t("who")}
				data={people}
				value={filters.username}
				onChange={(username) => change({ username })}
				placeholder={t("everybody")}
				searchable
				clearable
				clearButtonProps={{ "aria-label": t("clear.who") }}
			/>
			<DatePickerInput
				type="range"
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
				ariaLabels={{
					nextMonth: t("calendar.nextMonth"),
					previousMonth: t("calendar.previousMonth"),
					nextYear: t("calendar.nextYear"),
					previousYear: t("calendar.previousYear"),
					nextDecade: t("calendar.nextDecade"),
					previousDecade: t("calendar.previousDecade"),
					monthLevelControl: t("calendar.chooseMonth"),
					yearLevelControl: t("calendar.chooseYear"),
				}}
			/>
		</SimpleGrid>
	);
}
