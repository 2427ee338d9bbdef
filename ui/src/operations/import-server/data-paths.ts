import type { Line } from "./lines";
import { machinesIn } from "./lines";

/** Paths of data items as they stand in the messages of a line, as in `/enterpriseDatabases/parcels`. */
const path =
	/\/(?:enterpriseDatabases|fileShares|nosqlDatabases|cloudStores|rasterStores|bigDataFileShares|relationalCatalogs)\/[^\s"'“”‘’<>,;:()[\]]+/g;

export function dataPathsOf(line: Line): string[] {
	const { message, service } = line.message;
	const reports = machinesIn(line).flatMap((machine) => machine.reports.map((report) => report.message));
	const texts = [message, service?.message ?? "", ...reports];
	const found = texts.flatMap((text) => text.match(path) ?? []);
	// A full stop that ends the sentence is none of the path.
	return [...new Set(found.map((one) => one.replace(/[./]+$/, "")))];
}

/** The path that holds it: what items are found by. */
export function parentPathOf(dataPath: string): string {
	return dataPath.slice(0, dataPath.lastIndexOf("/")) || "/";
}
