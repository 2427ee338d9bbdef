import { serverOf } from "@/lib/target";
import type { Backend } from "../backend";
import type { FindItemsForm, ItemQuery } from "../bindings";
import { past, practice, reportOf, run, serverAt } from "./given";
import { fails, has, ok, refuses, type Situation } from "./situation";

const all: FindItemsForm = { parentPath: "", ancestorPath: "/", types: "", id: "", isManaged: null };
const byPath: ItemQuery = { column: "path", descending: false, filter: "", type: null };

async function found(backend: Backend, site: string, form: FindItemsForm) {
	return reportOf(
		await backend.findItems(await serverAt(backend, site), run().id, form, { query: byPath, most: 500, apart: false }),
	);
}

export const items: Situation[] = [
	{
		name: "a search without a filter names the field",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const none = { ...all, ancestorPath: " " };
			await fails(backend.findItems(serverOf(site), run().id, none, { query: byPath, most: 1, apart: false }), {
				kind: "form",
				field: "parentPath",
				fault: "oneFilterNeeded",
			});
		},
	},
	{
		name: "children are found by their parent, and all below by their ancestor",
		play: async (backend) => {
			const { site } = await practice(backend);
			const children = await found(backend, site.id, { ...all, ancestorPath: "", parentPath: "/fileShares" });
			const below = await found(backend, site.id, { ...all, ancestorPath: "/fileShares" });
			ok(children.search.total > 0, "there are no children");
			ok(below.search.total >= children.search.total, "a child is not found by its ancestor");
			ok((await found(backend, site.id, all)).search.total > below.search.total, "there is nothing else");
			has(children.search.types, [{ type: "folder", count: children.search.total }]);
		},
	},
	{
		name: "rows are filtered, sorted, and returned in parts",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { search, first } = await found(backend, site.id, all);
			has(first.matching, search.total);
			const paths = first.rows.map(({ path }) => path);
			const backwards = { ...byPath, descending: true };
			const sorted = await backend.itemRows(serverOf(site), search.id, backwards, 0, 500);
			has(
				sorted.rows.map(({ path }) => path),
				paths.toReversed(),
			);
			const part = await backend.itemRows(serverOf(site), search.id, byPath, 1, 2);
			has(part.matching, search.total);
			has(
				part.rows.map(({ path }) => path),
				paths.slice(1, 3),
			);
			const folders = await backend.itemRows(serverOf(site), search.id, { ...byPath, type: "folder" }, 0, 500);
			ok(folders.matching > 0 && folders.rows.every(({ type }) => type === "folder"), "the type is not filtered");
			const word = { ...byPath, filter: "FILESHARES" };
			ok(
				(await backend.itemRows(serverOf(site), search.id, word, 0, 1)).matching >= folders.matching - 1,
				"no word is found",
			);
			has(await backend.itemRows(serverOf(site), search.id, { ...byPath, filter: "no such thing" }, 0, 9), {
				matching: 0,
				rows: [],
			});
		},
	},
	{
		name: "the secrets of an item are masked until they are revealed",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { search, first } = await found(backend, site.id, { ...all, ancestorPath: "/enterpriseDatabases" });
			let revealed = 0;
			for (const { item } of first.rows) {
				const { info } = await backend.itemDetails(serverOf(site), search.id, item);
				for (const { name, value, secret } of await backend.revealItem(serverOf(site), search.id, item)) {
					ok(secret, `${name} is no secret`);
					const masked = info.find((one) => one.name === name);
					ok(masked !== undefined && masked.value !== value, `${name} is not masked`);
					revealed += 1;
				}
			}
			ok(revealed > 0, "no item has a secret");
		},
	},
	{
		name: "a search is kept until the next one, and until the sign-out",
		play: async (backend) => {
			const { site } = await practice(backend);
			has(await backend.lastItemSearch(serverOf(site)), null);
			const earlier = await found(backend, site.id, { ...all, ancestorPath: "/fileShares" });
			const { search } = await found(backend, site.id, all);
			has(await backend.lastItemSearch(serverOf(site)), { id: search.id, total: search.total });
			const gone = { kind: "preconditionFailed", why: { kind: "searchGone" } };
			await refuses(backend.itemRows(serverOf(site), earlier.search.id, byPath, 0, 1), gone);
			await backend.signOut(site.id);
			has(await backend.lastItemSearch(serverOf(site)), null);
			await refuses(backend.itemDetails(serverOf(site), search.id, 0), gone);
		},
	},
	{
		name: "each item has its own verdict, which is kept with its time and leaves no record",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { search, first } = await found(backend, site.id, all);
			has(await backend.searchValidation(serverOf(site), search.id), { at: null, valid: 0, named: [] });
			const before = (await past(backend, site.id)).length;
			const report = reportOf(await backend.validateItems(serverOf(site), run().id, search.id, null));
			has(report.valid + report.warnings + report.invalid + report.notValidated, search.total);
			ok(report.invalid > 0 && report.named.length >= report.invalid, "no item is not valid");
			has(await backend.searchValidation(serverOf(site), search.id), report);
			for (const { item, path } of first.rows) {
				const kept = await backend.itemValidation(serverOf(site), search.id, item);
				ok(kept !== null && kept.path === path, `${path} has no verdict`);
				const { machines } = await backend.itemDetails(serverOf(site), search.id, item);
				has(kept.machines.length, machines.length);
				has(
					kept.verdict !== "valid",
					report.named.some((one) => one.path === path),
				);
				ok(
					kept.verdict === "valid" ? kept.validAt === kept.at : kept.validAt === null,
					`${path} was valid at another time`,
				);
			}
			has((await past(backend, site.id)).length, before);
		},
	},
	{
		name: "an item leads to the services that use it, and such a service to the item",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { search, first } = await found(backend, site.id, all);
			has(await backend.itemUse(serverOf(site), search.id, 0), null);
			const read = reportOf(await backend.findDataUse(serverOf(site), run().id));
			ok(read.read > 0 && read.named.length === read.unread, "no manifest was read");
			let uses = 0;
			let untold = 0;
			for (const { item, path } of first.rows) {
				const use = await backend.itemUse(serverOf(site), search.id, item);
				ok(use !== null, "the manifests were not read");
				has(use.all, read);
				if (use.services === null) untold += 1;
				for (const service of use.services ?? []) {
					const { items } = await backend.serviceData(serverOf(site), service);
					ok(
						items.some((one) => one.path === path),
						`${service} does not lead to ${path}`,
					);
					uses += 1;
				}
			}
			ok(uses > 0 && untold > 0, "no item is used, or of each it is known");
			await refuses(backend.serviceData(serverOf(site), read.named[0]?.service ?? ""), { kind: "rejected", code: 404 });
		},
	},
	{
		name: "the latest filters are kept, newest first, each once",
		play: async (backend) => {
			const { site } = await practice(backend);
			const shares = { ...all, ancestorPath: "/fileShares" };
			await found(backend, site.id, shares);
			await found(backend, site.id, all);
			await found(backend, site.id, shares);
			has((await backend.recentItemFilters(site.id)).slice(0, 2), [shares, all]);
		},
	},
];
