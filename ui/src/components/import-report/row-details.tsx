import { Badge, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { MachineStart, Target } from "@/bridge";
import { ServiceData, ToItems } from "@/components/service-data";
import { Breakable, Small } from "@/components/text";
import { parentPathOf } from "@/lib/format";
import type { Ticks } from "@/lib/queries/changes";
import { isOpenMatter, type Line, machinesIn, type Row, reasonOf, titleOf } from "./lines";
import { certainPartOf, dataPathsOf, folderOf } from "./message-paths";
import { Sign } from "./report-tree";

interface RowDetailsProps {
	row: Row;
	ticks: Ticks;
	/** Server to search for data store items; `null` if the site is not known. */
	target: Target | null;
}

export const RowDetails = memo(function RowDetails({ row, ticks, target }: RowDetailsProps) {
	const { t } = useTranslation("importServer");
	if (row.kind === "source") {
		const { error, failed, warning, note } = row.counts;
		return (
			<Stack gap="xs">
				<Heading>{row.source || t("unnamedSource")}</Heading>
				{error > 0 ? <Text>{t("countErrors", { count: error })}</Text> : null}
				{failed > 0 ? <Text>{t("countFailed", { count: failed })}</Text> : null}
				{warning > 0 ? <Text>{t("countWarnings", { count: warning })}</Text> : null}
				{note > 0 ? <Text>{t("countNotes", { count: note })}</Text> : null}
			</Stack>
		);
	}
	const { line } = row;
	return (
		<Stack gap="sm">
			<Group gap="xs" wrap="nowrap" align="flex-start">
				<Sign severity={line.severity} />
				<LineTitle line={line} />
			</Group>
			{reasonOf(line) ? <Words>{reasonOf(line)}</Words> : null}
			{line.message.service && line.message.message && line.message.message !== reasonOf(line) ? (
				<Words quiet>{line.message.message}</Words>
			) : null}
			{line.change ? <Text>{t(`changeNote.${line.change}`)}</Text> : null}
			{isOpenMatter(line) ? (
				<Checkbox
					label={t("fixed")}
					checked={ticks.done.has(line.id)}
					onChange={(event) => ticks.set(line.id, event.currentTarget.checked)}
				/>
			) : null}
			{target === null ? null : <DataItems line={line} target={target} />}
			{target !== null && line.message.service && isOpenMatter(line) ? (
				<ServiceData key={line.id} target={target} service={line.message.service.service} />
			) : null}
			{row.kind === "machine" ? <Machine machine={row.machine} /> : <Machines line={line} />}
		</Stack>
	);
});

function LineTitle({ line }: { line: Line }) {
	const { t } = useTranslation("importServer");
	const title = titleOf(line);
	if (title === "") return <Words quiet>{t("noMessage")}</Words>;
	return line.message.service ? <Heading>{title}</Heading> : <Words>{title}</Words>;
}

function Machines({ line }: { line: Line }) {
	const { t } = useTranslation("importServer");
	const machines = machinesIn(line);
	if (!line.message.service) return null;
	if (machines.length === 0) return <Text>{t("noMachines")}</Text>;
	return machines.map((machine, place) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a report never changes and can list a machine twice
		<Machine key={place} machine={machine} />
	));
}

function Machine({ machine }: { machine: MachineStart }) {
	return (
		<Stack gap={4}>
			<Group gap="xs" align="center">
				<Text fw={600} mod="anywhere">
					{machine.machine}
				</Text>
				<Badge variant="default">{machine.state}</Badge>
			</Group>
			{machine.reports.map((report, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a report never changes and can list a state twice
				<Group key={index} gap="xs" wrap="nowrap" align="baseline" ps="sm">
					<Small flex="none">{report.state}</Small>
					<Words>{report.message}</Words>
				</Group>
			))}
		</Stack>
	);
}

/** Links from a service that did not start to the data store items it needs. */
function DataItems({ line, target }: { line: Line; target: Target }) {
	const { t } = useTranslation("importServer");
	const paths = dataPathsOf(line);
	if (paths.length === 0 && line.message.service && isOpenMatter(line)) {
		// The message has no path of an item: most servers name a file, or nothing. So all items are searched.
		return (
			<ToItems target={target} filter={{ name: "ancestorPath", value: "/" }} narrow={folderOf(line) ?? ""}>
				{t("findData")}
			</ToItems>
		);
	}
	return paths.map((path) => (
		<ToItems
			key={path}
			target={target}
			filter={{ name: "parentPath", value: parentPathOf(path) }}
			narrow={certainPartOf(path)}
		>
			{t("findItem", { path })}
		</ToItems>
	));
}

function Heading({ children }: { children: string }) {
	return (
		<Title order={3} size="h5" mod="anywhere">
			{children}
		</Title>
	);
}

function Words({ children, quiet = false }: { children: string; quiet?: boolean }) {
	return (
		<Text {...(quiet ? { c: "dimmed" } : {})} mod="anywhere" style={{ whiteSpace: "pre-wrap" }}>
			<Breakable>{children}</Breakable>
		</Text>
	);
}
