import { describe, expect, it } from "vitest";
import { i18n } from "./i18n";
import { isolated, joined, seen } from "./isolated";

const [rlo, pdf, lri, rli, fsi, pdi] = ["\u202e", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069"];

describe("a text of a site in a sentence", () => {
	it.each([
		["Harbour", "Harbour"],
		["", ""],
		["Straße · Ωmega · 漢字 · 🗺", "Straße · Ωmega · 漢字 · 🗺"],
		[`Harbour ${rlo} drow`, "Harbour  drow"],
		[`a${rlo}b${pdf}c`, "abc"],
		[`a\u200bb\u200d\ufeffc`, "abc"],
		["\u{1f469}\u200d\u{1f4bb} \u2600\ufe0f", "\u{1f469}\u200d\u{1f4bb} \u2600\ufe0f"],
		[`${rlo}נ\u200b`, `${fsi}נ${pdi}`],
		["נמל", `${fsi}נמל${pdi}`],
		["ميناء 12", `${fsi}ميناء 12${pdi}`],
		["a\u200fb", "ab"],
		["a\u061cb", "ab"],
		["\u{10900}", `${fsi}\u{10900}${pdi}`],
		// Characters that would end the isolate, or keep it open.
		[`x${pdi}${rlo}y`, `${fsi}xy${pdi}`],
		[`x${rli}y${lri}`, "xy"],
		[`${fsi}x${pdi}${pdi}y${fsi}`, `${fsi}${fsi}x${pdi}y${fsi}${pdi}${pdi}`],
		[`a\n${rlo}נ\r\nc`, `${fsi}a${pdi}\n${fsi}נ${pdi}\r\n${fsi}c${pdi}`],
		[`a\u2029${rlo}נ`, `${fsi}a${pdi}\u2029${fsi}נ${pdi}`],
	])("%j stands as %j", (text, stands) => {
		expect(isolated(text)).toBe(stands);
	});

	it("is apart from its neighbors in a list", () => {
		expect(joined([`א${rlo}`, "b"], " · ")).toBe(`${fsi}א${pdi} · b`);
		expect(isolated(joined(["א", "b"], " · "))).toBe(`${fsi}${fsi}א${pdi} · b${pdi}`);
	});

	it.each(["en", "de", "es"])("is apart from every message of the catalogue in %s", (lng) => {
		const name = `נמל ${rlo} drow`;
		const said = i18n.t("summary.refreshing", { guest: name, collaboration: "Water", lng });
		const stands = `${fsi}נמל  drow${pdi}`;
		expect(said).toContain(stands);
		expect(said.replace(stands, "")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
	});

	it("stands alone without invisible characters", () => {
		expect(seen(`a${rlo}b${lri}c\u200b`)).toBe("abc");
		expect(seen("نمی\u200cخواهم")).toBe("نمی\u200cخواهم");
	});
});
