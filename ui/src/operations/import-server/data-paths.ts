import type { Line } from "./lines";
import { machinesIn } from "./lines";

/** Paths of data items as they stand in the messages of a line, as in `/enterpriseDatabases/parcels`. */
const path =
	/\/(?:enterpriseDatabases|fileShares|nosqlDatabases|cloudStores|rasterStores|bigDataFileShares|relationalCatalogs)\/[^\s"'“”‘’<>,;:()[\]]+/g;

/** Paths of files, as in `/srv/survey/streets.gdb`, `\\nas\gis\streets.gdb` and `D:\gis\streets.gdb`; no part of an address. */
const file = /(?<![^\s"'“”‘’<>,;([=])(?:[A-Za-z]:[\\/]|\\\\|\/)[^\s"'“”‘’<>,;()[\]]+/g;

export function dataPathsOf(line: Line): string[] {
	const found = textsOf(line).flatMap((text) => text.match(path) ?? []);
	// A full stop that ends the sentence is none of the path.
	return [...new Set(found.map((one) => one.replace(/[./]+$/, "")))];
}

/** The folder of the first file that a line names: an item for it is registered there or above. `null` without one. */
export function folderOf(line: Line): string | null {
	const found = textsOf(line).flatMap((text) => text.match(file) ?? []);
	const names = (found[0] ?? "").split(/[\\/]/).filter((name) => name !== "" && !name.endsWith(":"));
	return names.at(-2) ?? names[0]?.replace(/[.]+$/, "") ?? null;
}

function textsOf(line: Line): string[] {
	const { message, service } = line.message;
	const reports = machinesIn(line).flatMap((machine) => machine.reports.map((report) => report.message));
	return [message, service?.message ?? "", ...reports];
}
