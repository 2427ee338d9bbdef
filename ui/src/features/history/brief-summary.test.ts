import i18next from "i18next";
import { expect, test } from "vitest";
import type { NotePart } from "@/bridge";
import { briefly, withReason } from "./brief-summary";

function part(kind: NotePart["kind"], text: string, upload: string | null = null): NotePart {
	return { about: null, kind, text, upload };
}

test.each([
	["a path", [part("path", "/backups/city/2026/city.agssite")], "city.agssite"],
	["a path of Windows", [part("path", "C:\\Backups\\city.agssite")], "city.agssite"],
	["a folder", [part("path", "\\\\share\\backups\\city\\")], "city\\"],
	["the root", [part("path", "/")], "/"],
	["a path with the separator of parts", [part("path", "/backups/a · b/city.agssite")], "city.agssite"],
	[
		"services that did not start, and a path",
		[part("text", "Parcels/Zoning, Roads"), part("path", "/backups/city.agssite")],
		"Parcels/Zoning, Roads · city.agssite",
	],
	["an upload", [part("upload", "city.agssite", "i3f2a9")], "city.agssite"],
	["an upload without a name", [part("upload", "", "i3f2a9")], "i3f2a9"],
	["a URL", [part("url", "https://gis.example.org/uploads/i90b1")], "gis.example.org/uploads/i90b1"],
	[
		"a response with markup in it",
		[part("response", 'HTTP 200: {"text":"<b>a</b>"}')],
		'HTTP 200: {"text":"<b>a</b>"}',
	],
	[
		"a page of a gateway",
		[part("response", "HTTP 502: <html><title>Bad Gateway</title></html>"), part("path", "/backups")],
		"HTTP 502: Bad Gateway · backups",
	],
	[
		"a reason that looks like a path",
		[part("text", "/etc is moved to city.agssite (i7)")],
		"/etc is moved to city.agssite (i7)",
	],
])("the list shows of %s only what is needed", (_, parts, brief) => {
	expect(briefly(i18next.t, { summary: null, outcome: "succeeded", noteParts: parts })).toBe(brief);
});

test.each([
	["", "", ""],
	["Saved", "", "Saved"],
	["", "CHG-1", "CHG-1"],
	["Saved", "CHG-1", "Saved · CHG-1"],
	// The summary of an unlock is its reason.
	["CHG-1 zoning", "CHG-1 zoning", "CHG-1 zoning"],
])("the reason stands behind the summary %j %j once", (summary, reason, both) => {
	expect(withReason(summary, { reason, noteParts: [part("text", summary)] })).toBe(both);
});
