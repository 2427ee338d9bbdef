import { Chip, Group, Select, Stack, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { type Filter, type Line, machinesOf, type Severity, severities } from "./lines";

interface ControlsProps {
	lines: readonly Line[];
	filter: Filter;
	onFilter: (filter: Filter) => void;
}

/** What narrows a report: words, source, machine, level. */
export function Controls({ lines, filter, onFilter }: ControlsProps) {
	const { t } = useTranslation("importServer");
	const sources = [...new Set(lines.map(({ source }) => source))].filter((source) => source !== "");
	const machines = machinesOf(lines);
	const count = (severity: Severity) => lines.filter((line) => line.severity === severity).length;
	return (
		<Stack gap="xs">
			<Group align="flex-end" gap="sm">
				<TextInput
					flex={1}
					miw={180}
					label={t("search")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={filter.search}
					onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
				/>
				<Select
					w={190}
					label={t("source")}
					placeholder={t("allSources")}
					data={sources}
					clearable
					value={filter.source}
					onChange={(source) => onFilter({ ...filter, source })}
				/>
				{machines.length > 0 ? (
					<Select
						w={190}
						label={t("machine")}
						placeholder={t("allMachines")}
						data={machines}
						clearable
						value={filter.machine}
						onChange={(machine) => onFilter({ ...filter, machine })}
					/>
				) : null}
			</Group>
			<Chip.Group
				multiple
				value={[...filter.severities]}
				onChange={(chosen) => onFilter({ ...filter, severities: severities.filter((one) => chosen.includes(one)) })}
			>
				<Group gap="xs" role="group" aria-label={t("levels")}>
					{severities.map((severity) => (
						<Chip key={severity} value={severity} size="sm" variant="outline">
							{`${t(`level.${severity}`)} (${formatNumber(count(severity))})`}
						</Chip>
					))}
				</Group>
			</Chip.Group>
		</Stack>
	);
}
