import { readFileSync } from "node:fs";

test("no style sheet chooses its colours in a way that the build breaks", () => {
	const sheets = Object.keys(import.meta.glob("/src/**/*.css"));
	expect(sheets.length).toBeGreaterThan(5);
	expect(sheets.filter((file) => readFileSync(`.${file}`, "utf8").includes("light-dark("))).toEqual([]);
});
