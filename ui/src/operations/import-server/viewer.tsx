import { Button, Chip, Group, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outcome } from "@/components/outcome";
import { formatNumber } from "@/lib/format";
import type { ImportReportViewerProps } from "@/lib/operation-ui";
import { bySource, type Filter, type Line, linesOf, machinesOf, matches, type Severity, severities } from "./lines";
import { ReportLine } from "./report-line";
import { SaveReport } from "./save-report";

/** Drawn at once; a report may hold tens of thousands. */
const step = 200;

/** The report workbench: what did not start, on which machine, and why. */
export function ImportReportViewer({ report, record }: ImportReportViewerProps) {
	const { t } = useTranslation("importServer");
	const lines = useMemo(() => linesOf(report), [report]);
	const [filter, setFilter] = useState<Filter>({ search: "", severities, source: null, machine: null });
	const [most, setMost] = useState(step);
	const shown = useMemo(() => lines.filter((line) => matches(line, filter)), [lines, filter]);
	const { failedServices, warnings, notes } = report.counts;
	const counts = [
		t("countFailed", { count: failedServices }),
		t("countWarnings", { count: warnings }),
		t("countNotes", { count: notes }),
	];
	return (
		<Stack component="section" aria-label={t("report")}>
			<Outcome outcome={failedServices + warnings > 0 ? "warnings" : "succeeded"} title={counts.join(" · ")} />
			<Controls lines={lines} filter={filter} onFilter={setFilter} />
			{lines.length === 0 ? <Text c="dimmed">{t("emptyReport")}</Text> : null}
			{lines.length > 0 && shown.length === 0 ? <Text c="dimmed">{t("noMatch")}</Text> : null}
			{bySource(shown.slice(0, most)).map(([source, ofSource]) => (
				<Source key={source} source={source} lines={ofSource} />
			))}
			{shown.length > most ? (
				<Group>
					<Button variant="default" onClick={() => setMost(most + step)}>
						{t("more", { count: Math.min(step, shown.length - most) })}
					</Button>
				</Group>
			) : null}
			{shown.length < lines.length ? (
				<Text size="sm" c="dimmed" role="status">
					{t("hidden", { count: lines.length - shown.length })}
				</Text>
			) : null}
			<SaveReport record={record} />
		</Stack>
	);
}

interface ControlsProps {
	lines: readonly Line[];
	filter: Filter;
	onFilter: (filter: Filter) => void;
}

function Controls({ lines, filter, onFilter }: ControlsProps) {
	const { t } = useTranslation("importServer");
	const sources = [...new Set(lines.map(({ source }) => source))].filter((source) => source !== "");
	const machines = machinesOf(lines);
	const count = (severity: Severity) => lines.filter((line) => line.severity === severity).length;
	return (
		<Stack gap="xs">
			<Group align="flex-end" gap="sm">
				<TextInput
					flex={1}
					miw={200}
					label={t("search")}
					leftSection={<IconSearch size={16} aria-hidden />}
					value={filter.search}
					onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
				/>
				<Select
					label={t("source")}
					placeholder={t("allSources")}
					data={sources}
					clearable
					value={filter.source}
					onChange={(source) => onFilter({ ...filter, source })}
				/>
				{machines.length > 0 ? (
					<Select
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

function Source({ source, lines }: { source: string; lines: readonly Line[] }) {
	const { t } = useTranslation("importServer");
	return (
		<Stack gap="xs">
			<Title order={2} size="h5" style={{ overflowWrap: "anywhere" }}>
				{source || t("unnamedSource")}
			</Title>
			<Stack gap={6}>
				{lines.map((line) => (
					<ReportLine key={line.id} line={line} />
				))}
			</Stack>
		</Stack>
	);
}
