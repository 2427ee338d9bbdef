import type { Line } from "./lines";
import { machinesIn } from "./lines";

/** How the path of a data item begins, as in `/enterpriseDatabases/parcels` and `/objectStores/x`. */
const itemStart = String.raw`\/\w*(?:Databases|Shares|Stores|Catalogs)\/`;

/** How the path of a file begins, as in `/srv/survey/streets.gdb`, `\\nas\gis\streets.gdb` and `D:\gis\streets.gdb`. */
const fileStart = String.raw`(?:[A-Za-z]:[\\/]|\\\\|\/)`;

const letter = String.raw`[^\s"'“”„‘’‚«»<>,;:()[\]\\/]`;

/** Words with which a sentence goes on behind a path. */
const goesOn =
	"is|are|was|were|has|had|and|or|cannot|can|could|does|did|must|should|will|fails?|failed|not|no|" +
	"of|on|at|in|for|from|with|to|by|while|because|when|if|but|that|which|after|before|during|via|using|the|The|" +
	"missing|unavailable|unreachable|offline|invalid|gone|unknown|rejected|denied|read|" +
	"ist|sind|war|wurde|hat|und|oder|kann|konnte|muss|fehlt|nicht|" +
	"auf|bei|von|mit|für|im|am|an|zu|weil|wenn|aber|der|die|das|Der|Die|Das|unbekannt|ungültig|" +
	"es|está|fue|ha|y|o|puede|pudo|debe|falta|falló|" +
	"en|de|con|por|para|al|del|que|mientras|porque|si|pero|el|la|los|las|desconocido|inaccesible";

/** A word of a name: none with which a sentence goes on, and none behind the end of one. */
const wordOfName = String.raw`(?<![.!?]) (?!(?:${goesOn}|Error|Fehler)(?![\p{L}\d]))${letter}+`;

/** A word of a name in parentheses, as in `Straßen (Nord)`. */
const inParentheses = String.raw` \((?!(?:${goesOn}|Error|Fehler)\))${letter}+\)`;

/** A folder, with blanks in it if a separator ends it. */
const folderOfWindows = String.raw`${letter}+(?:${inParentheses}| ${letter}+){0,4}\\+`;
const folderOfUnix = String.raw`${letter}+(?:${inParentheses}|${wordOfName}){0,4}\/+`;

/** The rest of a last part with blanks, if the sentence or a list clearly goes on or ends behind it. */
const restOfName = String.raw`(?:(?:${inParentheses}|${wordOfName}){1,4}(?:(?<=[.!?])|(?=$|[\n.!?,;:)\]]|\s+(?:${goesOn})(?![\p{L}\d]))))?`;

/** In quotation marks, a path has all blanks that stand in them. */
function quoted(start: string): RegExp {
	return new RegExp(String.raw`["'\u0060“„‘‚«»](${start}[^"\u0060“”„‘’«»<>\n]*?)["'\u0060”“’‘»«](?![\p{L}\d])`, "gu");
}

/** Without quotation marks; no part of an address. */
function bare(start: string, end: string): RegExp {
	const folders = `(?:${folderOfWindows}|${folderOfUnix})*`;
	return new RegExp(String.raw`(?<![^\s"'“”‘’<>,;([=])${start}${folders}${letter}*${end}`, "gu");
}

const items = [quoted(itemStart), bare(itemStart, restOfName)] as const;
const files = [quoted(fileStart), bare(fileStart, "")] as const;

function pathsIn(text: string, [inQuotes, without]: readonly [RegExp, RegExp]): string[] {
	const whole: [number, string][] = [...text.matchAll(inQuotes)].map((match) => [match.index, match[1] ?? ""]);
	const rest = text.replace(inQuotes, (match) => " ".repeat(match.length));
	// A full stop that ends the sentence is none of the path.
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
 * What is sought of a path: up to the first word that need not belong to it, because a sentence can go on with it. It finds
 * both, the item with these words and the one without them.
 */
export function certainPartOf(path: string): string {
	return path.replace(/ (?![\p{Lu}\d]).*$/u, "");
}

/** The folder of the first file that a line names: an item for it is registered there or above. `null` without one. */
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
