import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { canMove, firstVisit, goTo, move, type Place, take, type Visits, visitNow, withoutSite } from "./visits";

const sites: Place = { page: "sites" };
const settings: Place = { page: "settings" };
const history: Place = { page: "history" };
const at = (site: string): Place => ({ page: "overview", site });

function through(first: Place, ...others: Place[]): Visits {
	return others.reduce((visits, place) => goTo(visits, place, null), firstVisit(first));
}

/** Returns all places, and the index of the one on screen. */
const shown = ({ all, at }: Visits) => [all.map(({ place }) => place), at];

it("whoever goes on from an earlier place goes no more to those that came after", () => {
	const back = move(move(through(sites, settings, history), -1), -1);
	expect(shown(goTo(back, at("a"), null))).toEqual([[sites, at("a")], 1]);
});

it("a place that is chosen once more begins anew, and stands there once", () => {
	const before = through(sites, settings);
	const after = goTo(before, settings, null);
	expect(shown(after)).toEqual([[sites, settings], 1]);
	expect(visitNow(after).place).not.toBe(visitNow(before).place);
});

it("before the first place and after the last there is none", () => {
	const visits = through(sites, settings);
	expect([canMove(visits, -1), canMove(visits, 1)]).toEqual([true, false]);
	expect(move(visits, 1)).toBe(visits);
});

it("what was brought stays with its visit, and is taken once", () => {
	const brought = { parameters: [{ name: "location", value: "/srv" }], sentAt: null };
	const export_: Place = { page: "operation", site: "a", server: null, key: "export_portal" };
	const taken = take(goTo(firstVisit(sites), export_, brought));
	const back = move(goTo(taken, settings, null), -1);
	expect(visitNow(back)).toEqual({ place: export_, brought, isTaken: true });
	expect(visitNow(goTo(back, export_, brought)).isTaken).toBe(false);
});

it("a site that was removed is at no place any more, before or after", () => {
	const visits = move(through(at("gone"), settings, at("gone"), at("b"), at("gone")), -1);
	expect(shown(withoutSite(visits, "gone"))).toEqual([[settings, at("b")], 1]);
});

it("whoever is at a site that was removed is led to all sites", () => {
	const visits = move(through(sites, at("gone"), sites, settings), -1);
	expect(shown(withoutSite(move(visits, -1), "gone"))).toEqual([[sites, settings], 0]);
});

it("two alike places that a removal brings together are one", () => {
	const visits = move(through(settings, at("gone"), settings, at("gone"), settings, history), -1);
	expect(shown(withoutSite(visits, "gone"))).toEqual([[settings, history], 0]);
});

/** Every page. A missing page is a type error. */
const pages = {
	sites: true,
	"add-site": true,
	"edit-site": true,
	plans: true,
	"edit-plan": true,
	"backup-set": true,
	rehearsal: true,
	receipt: true,
	overview: true,
	changes: true,
	operation: true,
	practice: true,
	history: true,
	settings: true,
	help: true,
} satisfies Record<Place["page"], true>;

it("something leads to every page", () => {
	const files = readdirSync("src", { recursive: true, encoding: "utf8" });
	const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file));
	const text = sources.map((file) => readFileSync(`src/${file}`, "utf8")).join("\n");
	const leads = (page: string) => new RegExp(`\\b(go|to)\\(\\{ page: "${page}"`).test(text);
	expect(Object.keys(pages).filter((page) => !leads(page))).toEqual([]);
});

it("every page that the sidebar leads to is in the command palette", () => {
	const placesIn = (file: string) =>
		[...readFileSync(`src/app/${file}`, "utf8").matchAll(/\b(?:go|to)\(\{ page: "([^"]+)"/g)].map(([, page]) => page);
	const found = new Set(placesIn("commands.tsx"));
	expect(found).toContain("overview");
	expect(placesIn("sidebar.tsx").filter((page) => !found.has(page))).toEqual([]);
});
