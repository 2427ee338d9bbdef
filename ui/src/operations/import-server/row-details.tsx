import { Badge, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { MachineStart, Target } from "@/bridge";
import { ServiceData, ToItems } from "@/components/service-data";
import { Breakable, Small } from "@/components/text";
import { parentPathOf } from "@/lib/format";
import type { Ticks } from "@/lib/queries/changes";
import { isOpenMatter, type Line, machinesIn, type Row, reasonOf, titleOf } from "./lines";
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

/** Start of the path of a data store item, for example `/enterpriseDatabases/parcels` or `/objectStores/x`. */
const itemStart = String.raw`\/\w*(?:Databases|Shares|Stores|Catalogs)\/`;

/** Start of a file path, for example `/srv/survey/streets.gdb`, `\\nas\gis\streets.gdb`, or `D:\gis\streets.gdb`. */
const fileStart = String.raw`(?:[A-Za-z]:[\\/]|\\\\|\/)`;

const letter = String.raw`[^\s"'“”„‘’‚«»<>,;:()[\]\\/]`;

/** Words that continue a sentence after a path. */
const sentenceWords =
	"is|are|was|were|has|had|and|or|cannot|can|could|does|did|must|should|will|fails?|failed|not|no|" +
	"of|on|at|in|for|from|with|to|by|while|because|when|if|but|that|which|after|before|during|via|using|the|The|" +
	"missing|unavailable|unreachable|offline|invalid|gone|unknown|rejected|denied|read|" +
	"ist|sind|war|wurde|hat|und|oder|kann|konnte|muss|fehlt|nicht|" +
	"auf|bei|von|mit|für|im|am|an|zu|weil|wenn|aber|der|die|das|Der|Die|Das|unbekannt|ungültig|" +
	"es|está|fue|ha|y|o|puede|pudo|debe|falta|falló|" +
	"en|de|con|por|para|al|del|que|mientras|porque|si|pero|el|la|los|las|desconocido|inaccesible";

/** Further word of a file or folder name: not one of `sentenceWords`, and not the first word of a sentence. */
const wordOfName = String.raw`(?<![.!?]) (?!(?:${sentenceWords}|Error|Fehler)(?![\p{L}\d]))${letter}+`;

/** Word of a name in parentheses, for example `Straßen (Nord)`. */
const inParentheses = String.raw` \((?!(?:${sentenceWords}|Error|Fehler)\))${letter}+\)`;

/** Folder name, which can contain spaces because a separator ends it. */
const folderOfWindows = String.raw`${letter}+(?:${inParentheses}| ${letter}+){0,4}\\+`;
const folderOfUnix = String.raw`${letter}+(?:${inParentheses}|${wordOfName}){0,4}\/+`;

/** Rest of a last part with spaces, only if the sentence or list clearly continues or ends after it. */
const restOfName = String.raw`(?:(?:${inParentheses}|${wordOfName}){1,4}(?:(?<=[.!?])|(?=$|[\n.!?,;:)\]]|\s+(?:${sentenceWords})(?![\p{L}\d]))))?`;

/** Matches a path in quotation marks, including all of its spaces. */
function quoted(start: string): RegExp {
	return new RegExp(String.raw`["'\u0060“„‘‚«»](${start}[^"\u0060“”„‘’«»<>\n]*?)["'\u0060”“’‘»«](?![\p{L}\d])`, "gu");
}

/** Matches a path without quotation marks that is not part of a URL. */
function bare(start: string, end: string): RegExp {
	const folders = `(?:${folderOfWindows}|${folderOfUnix})*`;
	return new RegExp(String.raw`(?<![^\s"'“”‘’<>,;([=])${start}${folders}${letter}*${end}`, "gu");
}

const items = [quoted(itemStart), bare(itemStart, restOfName)] as const;
const files = [quoted(fileStart), bare(fileStart, "")] as const;

function pathsIn(text: string, [inQuotes, without]: readonly [RegExp, RegExp]): string[] {
	const whole: [number, string][] = [...text.matchAll(inQuotes)].map((match) => [match.index, match[1] ?? ""]);
	const rest = text.replace(inQuotes, (match) => " ".repeat(match.length));
	// A period at the end of the sentence does not belong to the path.
	const others = [...rest.matchAll(without)].map((match): [number, string] => [
		match.index,
		match[0].replace(/[./]+$/, ""),
	]);
	return [...whole, ...others].sort(([one], [other]) => one - other).map(([, path]) => path.replace(/[/]+$/, ""));
}

export function dataPathsOf(line: Line): string[] {
	return [...new Set(textsOf(line).flatMap((text) => pathsIn(text, items)))];
}

/**
 * Returns the part of a path that certainly belongs to it: up to the first word that could also continue the sentence.
 * A search for it finds items with and without the uncertain words.
 */
export function certainPartOf(path: string): string {
	return path.replace(/ (?![\p{Lu}\d]).*$/u, "");
}

/**
 * Returns the folder of the first file that a line names; its data store item is that folder or one above. `null`
 * without a file.
 */
export function folderOf(line: Line): string | null {
	const found = textsOf(line).flatMap((text) => pathsIn(text, files));
	const names = (found[0] ?? "").split(/[\\/]/).filter((name) => name !== "" && !name.endsWith(":"));
	return names.at(-2) ?? names[0]?.replace(/[.]+$/, "") ?? null;
}

function textsOf(line: Line): string[] {
	const { message, service } = line.message;
	const reports = machinesIn(line).flatMap((machine) => machine.reports.map((report) => report.message));
	return [message, service?.message ?? "", ...reports];
}
