import { expect, it } from "vitest";
import { dataPathsOf, parentPathOf } from "./data-paths";
import { linesOf } from "./lines";

function pathsIn(...messages: string[]): string[] {
	const [first = "", ...others] = messages;
	const reports = others.map((message) => ({ state: "FAILED", message }));
	const service = {
		service: "a",
		state: "FAILED",
		message: first,
		machines: [{ machine: "m", state: "FAILED", reports }],
	};
	const counts = { failedServices: 1, warnings: 0, notes: 0 };
	const sources = [{ source: "s", messages: [{ level: "WARNING", message: "", service }] }];
	const [line] = linesOf({ status: "success", wayBack: null, counts, sources });
	return line ? dataPathsOf(line) : [];
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
