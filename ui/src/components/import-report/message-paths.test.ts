import { expect, it } from "vitest";
import { parentPathOf } from "@/lib/format";
import { type Line, linesOf } from "./lines";
import { certainPartOf, dataPathsOf, folderOf } from "./message-paths";

function lineOf(...messages: string[]): Line | undefined {
	const [first = "", ...others] = messages;
	const reports = others.map((message) => ({ state: "FAILED", message }));
	const service = {
		service: "a",
		state: "FAILED",
		message: first,
		machines: [{ machine: "m", state: "FAILED", reports }],
	};
	const counts = { errors: 0, failedServices: 1, warnings: 0, notes: 0 };
	const sources = [{ source: "s", messages: [{ level: "WARNING", message: "", service }] }];
	const [line] = linesOf({ status: "success", safetyBackup: null, proof: null, reactivated: null, counts, sources });
	return line;
}

function pathsIn(...messages: string[]): string[] {
	const line = lineOf(...messages);
	return line ? dataPathsOf(line) : [];
}

function folderIn(...messages: string[]): string | null | undefined {
	const line = lineOf(...messages);
	return line && folderOf(line);
}

it("finds the paths of data items, each once, without the marks around them", () => {
	expect(
		pathsIn(
			"Nothing answers at /enterpriseDatabases/parcels.",
			"“/enterpriseDatabases/parcels” and (/fileShares/aerial/2025), but not /home/sam or /fileSharesOther/x",
		),
	).toEqual(["/enterpriseDatabases/parcels", "/fileShares/aerial/2025"]);
});

it("knows which path holds an item", () => {
	expect(parentPathOf("/fileShares/aerial/2025")).toBe("/fileShares/aerial");
	expect(parentPathOf("/parcels")).toBe("/");
});

it("knows the folder of a file that is missing, as each system writes it", () => {
	expect(folderIn("The data was not found at /srv/shares/survey/AddressLocator.GeocodeServer.")).toBe("survey");
	expect(folderIn("", 'Cannot open "\\\\nas\\gis\\parcels.gdb"')).toBe("gis");
	expect(folderIn("D:\\survey\\streets.gdb is not reachable")).toBe("survey");
	expect(folderIn("Nothing at /zoning.")).toBe("zoning");
});

it("takes neither an address nor a date for a folder", () => {
	expect(folderIn("https://gis.example.org/server/rest did not answer on 12/11/2026, or and/or")).toBeNull();
});

it.each<[string, string[]]>([
	["Nothing answers at '/fileShares/GIS Data'.", ["/fileShares/GIS Data"]],
	["Nothing answers at '/fileShares/ana's data', try again", ["/fileShares/ana's data"]],
	['"/fileShares/GIS Data/2025" and "/objectStores/my store"', ["/fileShares/GIS Data/2025", "/objectStores/my store"]],
	["„/enterpriseDatabases/Straßen und Wege“ fehlt", ["/enterpriseDatabases/Straßen und Wege"]],
	["falta «/cloudStores/copia diaria».", ["/cloudStores/copia diaria"]],
	["`/rasterStores/a b` is gone", ["/rasterStores/a b"]],
	["/objectStores/x is not validated", ["/objectStores/x"]],
	["Missing: /tileStores/GIS Data/2025, /fileShares/b", ["/tileStores/GIS Data/2025", "/fileShares/b"]],
	["/fileShares/a and /fileShares/b", ["/fileShares/a", "/fileShares/b"]],
	["/fileShares/a and/or /fileShares/b.", ["/fileShares/a", "/fileShares/b"]],
	["(/fileShares/a/)", ["/fileShares/a"]],
	["/fileShares/GIS Data is not validated", ["/fileShares/GIS Data"]],
	["Nothing answers at /fileShares/GIS Data", ["/fileShares/GIS Data"]],
	["Nothing answers at /fileShares/GIS Data.", ["/fileShares/GIS Data"]],
	["/fileShares/GIS Data. The server did not answer.", ["/fileShares/GIS Data"]],
	["/fileShares/GIS Data 2025, /fileShares/b", ["/fileShares/GIS Data 2025", "/fileShares/b"]],
	["/fileShares/GIS Data and /fileShares/Old Maps: not validated", ["/fileShares/GIS Data", "/fileShares/Old Maps"]],
	["/fileShares/2025/GIS Data cannot be read", ["/fileShares/2025/GIS Data"]],
	["/enterpriseDatabases/Straßen Nord konnte nicht geprüft werden", ["/enterpriseDatabases/Straßen Nord"]],
	["No se encontró /fileShares/Datos Base", ["/fileShares/Datos Base"]],
	["/fileShares/Datos Base no responde", ["/fileShares/Datos Base"]],
	["/fileShares/a Error 5 at db1", ["/fileShares/a"]],
	["/fileShares/a: The server did not answer", ["/fileShares/a"]],
	["/fileShares/a, The server did not answer", ["/fileShares/a"]],
	["/fileShares/gis data is missing", ["/fileShares/gis data"]],
	["Nothing answers at /fileShares/gis data", ["/fileShares/gis data"]],
	["Nothing answers at /fileShares/gis data.", ["/fileShares/gis data"]],
	[
		"/fileShares/gis data, /fileShares/old maps 2024: not validated",
		["/fileShares/gis data", "/fileShares/old maps 2024"],
	],
	["/fileShares/gis data/2025 cannot be read", ["/fileShares/gis data/2025"]],
	["/enterpriseDatabases/straßen nord konnte nicht geprüft werden", ["/enterpriseDatabases/straßen nord"]],
	["No se encontró /fileShares/datos base", ["/fileShares/datos base"]],
	["/cloudStores/copia diaria no responde", ["/cloudStores/copia diaria"]],
	["/fileShares/GIS data missing", ["/fileShares/GIS data"]],
	["/fileShares/gis data on server1 was not found", ["/fileShares/gis data"]],
	["/fileShares/a missing", ["/fileShares/a"]],
	["/fileShares/a while validating", ["/fileShares/a"]],
	["/fileShares/a The server did not answer", ["/fileShares/a"]],
	["/fileShares/a. See docs/paths", ["/fileShares/a"]],
	["Cannot validate /fileShares/a for read/write access", ["/fileShares/a"]],
	["/enterpriseDatabases/Straßen (Nord) konnte nicht geprüft werden", ["/enterpriseDatabases/Straßen (Nord)"]],
	["Nothing answers at /enterpriseDatabases/Straßen (Nord).", ["/enterpriseDatabases/Straßen (Nord)"]],
	["/fileShares/Straßen (Süd)/2025 is gone", ["/fileShares/Straßen (Süd)/2025"]],
	["/fileShares/Maps (2025) Old, /fileShares/b", ["/fileShares/Maps (2025) Old", "/fileShares/b"]],
	["/fileShares/a (offline) and /fileShares/b (not found)", ["/fileShares/a", "/fileShares/b"]],
	["/fileShares/a (Error 5)", ["/fileShares/a"]],
	["(/fileShares/a (Nord))", ["/fileShares/a (Nord)"]],
	["https://h/fileShares/a", []],
])("finds in %j the data items %j", (message, paths) => {
	expect(pathsIn(message)).toEqual(paths);
});

it.each([
	["/fileShares/gis data", "/fileShares/gis"],
	["/fileShares/GIS Data 2025", "/fileShares/GIS Data 2025"],
	["/fileShares/a times out", "/fileShares/a"],
	["/enterpriseDatabases/Straßen (Nord)", "/enterpriseDatabases/Straßen"],
])("seeks of %j the part %j, which is there whether or not the words are part of it", (path, part) => {
	expect(certainPartOf(path)).toBe(part);
});

it.each<[string, string | null]>([
	["Cannot open C:\\Program Files\\ArcGIS\\streets.gdb", "ArcGIS"],
	["Cannot open C:\\Program Files (x86)\\GIS Data\\streets.gdb now", "GIS Data"],
	["Cannot open 'C:\\Program Files\\my streets.gdb'", "Program Files"],
	["\\\\nas\\gis backup\\streets.gdb is missing", "gis backup"],
	["\\\\nas\\gis\\a.gdb and \\\\nas\\b\\c.gdb", "gis"],
	["D:\\gis\\a.gdb or E:\\b\\c.gdb", "gis"],
	["“/srv/GIS Data/streets.gdb”", "GIS Data"],
	["/srv/GIS Data/streets.gdb does not exist", "GIS Data"],
	["/srv/gis data/streets.gdb does not exist", "gis data"],
	["/srv/survey/streets.gdb and/or others", "survey"],
	["the data is at '/srv/gis data/streets.gdb'.", "gis data"],
])("finds in %j the folder %j", (message, folder) => {
	expect(folderIn(message)).toBe(folder);
});
