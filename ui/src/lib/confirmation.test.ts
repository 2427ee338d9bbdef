import { readFileSync } from "node:fs";
import { practiceSite } from "@/bridge/fake-backend/world";
import { signedInSite } from "@/test/render";
import { confirms, differenceFrom, typedForDeactivation, typedForImport } from "./confirmation";

const cases: { name: string; typed: string; matches: boolean }[] = JSON.parse(
	readFileSync("../tests/fixtures/confirmations.json", "utf8"),
);

test.each(cases)("$typed for $name: $matches", ({ name, typed, matches }) => {
	expect(confirms(typed, name)).toBe(matches);
});

test.each([
	["City GIS", "City", null],
	["City GIS", "City GIS", null],
	["City GIS", "city", { place: 1, typed: "c", wanted: "C" }],
	["Große Stadt", "Grosse Stat", { place: 11, typed: "t", wanted: "d" }],
	["City", "City GIS", { place: 5, typed: " ", wanted: "" }],
])("the first difference from %s in %s", (name, typed, difference) => {
	expect(differenceFrom(name, typed)).toEqual(difference);
});

const invisible: string[] = JSON.parse(readFileSync("../tests/fixtures/invisible-names.json", "utf8"));

test.each(invisible)("a site with the saved name %j, which shows nothing, is confirmed by its host", (name) => {
	const site = { ...signedInSite().site, name };
	for (const wanted of [typedForImport(site), typedForDeactivation(site)]) expect(wanted).toBe("gis.example.org");
	expect(typedForImport({ ...site, portal: null, portalAdminUrl: null, servers: [] })).toBe("city");
});

test("nothing is typed for the practice site alone, whatever environment another has", () => {
	const ours = practiceSite();
	expect(typedForImport(ours)).toBe("");
	expect(typedForImport({ ...ours, id: "another" })).toBe("Practice");
	expect(typedForImport({ ...ours, portal: "https://gis.example.org/portal" })).toBe("Practice");
	expect(typedForImport({ ...ours, environment: "test" })).toBe("Practice");
	expect(typedForDeactivation({ ...ours, environment: "test" })).toBe("");
});
