import { Chip, Group, Select, Stack, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/lib/format";
import { usePageKey } from "@/lib/page-keys";
import { changes, type Facts, type Filter, severities } from "./lines";
import type { Comparison } from "./use-comparison";

interface ControlsProps {
	facts: Facts;
	filter: Filter;
	onFilter: (filter: Filter) => void;
	comparison: Comparison;
	/** Buttons at the end of the first row. */
	children: ReactNode;
}

/**
 * Filters of a report (words, source, machine, level), comparison with an earlier report, and the buttons in
 * `children`.
 */
export function Controls({ facts, filter, onFilter, comparison, children }: ControlsProps) {
	const { t } = useTranslation("importServer");
	const find = usePageKey("find");
	const { sources, machines } = facts;
	return (
		<Stack gap="xs">
			<Group gap="xs">
				<TextInput
					size="xs"
					flex="1 1 160px"
					aria-label={t("search")}
					placeholder={t("search")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={filter.search}
					onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
					{...find}
				/>
				{sources.length > 1 ? (
					<Select
						size="xs"
						flex="0 1 12rem"
						aria-label={t("source")}
						placeholder={t("allSources")}
						data={sources}
						clearable
						value={filter.source}
						onChange={(source) => onFilter({ ...filter, source })}
					/>
				) : null}
				{machines.length > 0 ? (
					<Select
						size="xs"
						flex="0 1 12rem"
						aria-label={t("machine")}
						placeholder={t("allMachines")}
						data={machines}
						clearable
						value={filter.machine}
						onChange={(machine) => onFilter({ ...filter, machine })}
					/>
				) : null}
				{comparison.earlier.length > 0 ? (
					<Select
						size="xs"
						flex="0 1 220px"
						aria-label={t("compare")}
						placeholder={t("compareNone")}
						data={comparison.earlier.map(({ id, startedAt }) => ({
							value: id,
							label: t("importOf", { at: formatTime(startedAt) }),
						}))}
						clearable
						value={comparison.chosen}
						onChange={comparison.choose}
					/>
				) : null}
				{children}
			</Group>
			<Group gap="var(--mantine-spacing-xs) var(--mantine-spacing-lg)">
				<Chips
					label={t("levels")}
					all={severities.filter((one) => facts.severities[one] > 0)}
					chosen={filter.severities}
					words={(one) => t("chip", { name: t(`level.${one}`), count: facts.severities[one] })}
					onChoose={(shown) => onFilter({ ...filter, severities: shown })}
					every={severities}
				/>
				{comparison.chosen !== null && comparison.ready ? (
					<Chips
						label={t("compare")}
						all={changes}
						chosen={filter.changes}
						words={(one) => t("chip", { name: t(`change.${one}`), count: facts.changes[one] })}
						onChoose={(shown) => onFilter({ ...filter, changes: shown })}
						every={changes}
					/>
				) : null}
			</Group>
		</Stack>
	);
}

interface ChipsProps<T extends string> {
	label: string;
	/** Options shown. `every` also contains those that are hidden. */
	all: readonly T[];
	every: readonly T[];
	chosen: readonly T[];
	words: (one: T) => string;
	onChoose: (chosen: T[]) => void;
}

function Chips<T extends string>({ label, all, every, chosen, words, onChoose }: ChipsProps<T>) {
	return (
		<Chip.Group multiple value={[...chosen]} onChange={(now) => onChoose(every.filter((one) => now.includes(one)))}>
			<Group gap="xs" role="group" aria-label={label}>
				{all.map((one) => (
					<Chip key={one} value={one} size="sm" variant="outline">
						{words(one)}
					</Chip>
				))}
			</Group>
		</Chip.Group>
	);
}
