import { tableName } from "@/lib/target";

const at = new Date(2026, 10, 27, 8, 40, 5).getTime();

test.each([
	[null, "City GIS", "City GIS comparison 2026-11-27 08-40-05"],
	["gisapp01", "City GIS", "gisapp01 City GIS comparison 2026-11-27 08-40-05"],
	["a/b", "Roads\\Parks", "a-b Roads-Parks comparison 2026-11-27 08-40-05"],
])("a table of the server %s of %s is called after both, and its time", (serverName, siteName, name) => {
	expect(tableName({ serverName, siteName }, "comparison", at)).toBe(name);
});
