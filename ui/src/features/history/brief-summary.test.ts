import { expect, test } from "vitest";
import { briefly } from "./brief-summary";

test.each([
	["/backups/city/2026/city.agssite", "city.agssite"],
	["C:\\Backups\\city.agssite", "city.agssite"],
	["\\\\share\\backups\\city\\", "city\\"],
	["Parcels/Zoning, Roads · /backups/city.agssite", "Parcels/Zoning, Roads · city.agssite"],
	["city.agssite (i3f2a9)", "city.agssite"],
	[
		"Invitation for https://forest.example.org/portal to Flood Watch refreshed",
		"Invitation for forest.example.org/portal to Flood Watch refreshed",
	],
	["HTTP 502: <html><title>Bad Gateway</title></html> · /backups", "HTTP 502: Bad Gateway · backups"],
	[
		"Contact of Municipality 11 (Water) in Flood Watch changed: a → b",
		"Contact of Municipality 11 (Water) in Flood Watch changed: a → b",
	],
	["/", "/"],
])("the summary %s is %s in the list", (summary, brief) => {
	expect(briefly(summary)).toBe(brief);
});
