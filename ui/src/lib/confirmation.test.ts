import { readFileSync } from "node:fs";
import { confirms, differenceFrom, typeable } from "./confirmation";

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

test.each(invisible)("nothing is typed of the name %j, which shows nothing", (name) => {
	expect(typeable(name)).toBe("");
});
