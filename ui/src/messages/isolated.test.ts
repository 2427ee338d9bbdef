import { describe, expect, it } from "vitest";
import { i18n } from "./i18n";
import { isolated, joined } from "./isolated";

const [rlo, pdf, lri, rli, fsi, pdi] = ["\u202e", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069"];

describe("a text of a site in a sentence", () => {
	it.each([
		["Harbour", "Harbour"],
		["", ""],
		["Straße · Ωmega · 漢字 · 🗺", "Straße · Ωmega · 漢字 · 🗺"],
		[`Harbour ${rlo} drow`, `${fsi}Harbour ${rlo} drow${pdi}`],
		[`a${rlo}b${pdf}c`, `${fsi}a${rlo}b${pdf}c${pdi}`],
		["נמל", `${fsi}נמל${pdi}`],
		["ميناء 12", `${fsi}ميناء 12${pdi}`],
		["a\u200fb", `${fsi}a\u200fb${pdi}`],
		["a\u061cb", `${fsi}a\u061cb${pdi}`],
		["\u{10900}", `${fsi}\u{10900}${pdi}`],
		// What would end the isolate, or keep it open.
		[`x${pdi}${rlo}y`, `${fsi}x${rlo}y${pdi}`],
		[`x${rli}y`, `${fsi}x${rli}y${pdi}${pdi}`],
		[`${lri}x${pdi}${pdi}y${fsi}`, `${fsi}${lri}x${pdi}y${fsi}${pdi}${pdi}`],
		[`a\n${rlo}b\r\nc`, `${fsi}a${pdi}\n${fsi}${rlo}b${pdi}\r\n${fsi}c${pdi}`],
		[`a\u2029${rlo}b`, `${fsi}a${pdi}\u2029${fsi}${rlo}b${pdi}`],
	])("%j stands as %j", (text, stands) => {
		expect(isolated(text)).toBe(stands);
	});

	it("is apart from its neighbors in a list", () => {
		expect(joined([`a${rlo}`, "b"], " · ")).toBe(`${fsi}a${rlo}${pdi} · b`);
	});

	it.each(["en", "de", "es"])("is apart from every message of the catalogue in %s", (lng) => {
		const name = `Harbour ${rlo} drow`;
		const said = i18n.t("summary.refreshing", { guest: name, collaboration: "Water", lng });
		expect(said).toContain(`${fsi}${name}${pdi}`);
		expect(said.replace(`${fsi}${name}${pdi}`, "")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
	});
});
