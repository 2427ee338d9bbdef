import { type Line, machinesIn } from "./lines";

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
