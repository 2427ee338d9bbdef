import type {
	DataStoreItem,
	FindItemsForm,
	ItemColumn,
	ItemQuery,
	ItemRow,
	ItemRows,
	ItemSearchView,
	RunStep,
	SiteId,
	TypeCount,
} from "../bindings";
import type { Doings } from "./answer";
import { type Deeds, fine } from "./deeds";
import { savedFile } from "./dialogs";
import { preconditionFailed, there } from "./problems";
import type { HeldSearch } from "./seed";
import { siteIn, type World } from "./world";

function noteFilters(world: World, site: SiteId, form: FindItemsForm): void {
	const asked = JSON.stringify(form);
	const others = (world.itemFilters.get(site) ?? []).filter((other) => JSON.stringify(other) !== asked);
	world.itemFilters.set(site, [form, ...others].slice(0, 5));
}

function hold(world: World, site: SiteId, form: FindItemsForm): ItemSearchView {
	const parent = form.parentPath.trim().replace(/\/$/, "");
	const ancestor = form.ancestorPath.trim();
	const types = form.types.split(",").map((type) => type.trim());
	const items = world.items.filter(
		(item) =>
			(parent === "" || item.path.slice(0, item.path.lastIndexOf("/")) === parent) &&
			(ancestor === "" || item.path.startsWith(`${ancestor.replace(/\/$/, "")}/`)) &&
			(form.types.trim() === "" || types.includes(item.type)) &&
			(form.id.trim() === "" || item.id === form.id.trim()) &&
			(form.isManaged === null || item.isManaged === form.isManaged),
	);
	const view = { id: crypto.randomUUID(), form, at: Date.now(), total: items.length, gap: null, types: counted(items) };
	world.itemSearches.set(site, { view, items });
	return view;
}

function counted(items: readonly DataStoreItem[]): TypeCount[] {
	const counts = new Map<string, number>();
	for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1);
	return [...counts].map(([type, count]) => ({ type, count })).sort((one, other) => other.count - one.count);
}

export function itemOf(world: World, site: SiteId, search: string, place: number): DataStoreItem {
	return there(held(world, site, search).items[place], `item ${place}`);
}

export function held(world: World, site: SiteId, search: string): HeldSearch {
	const last = world.itemSearches.get(site);
	if (last?.view.id !== search) throw preconditionFailed("searchGone");
	return last;
}

/** Large responses are reported before they are complete. */
function arriving({ items }: World): RunStep[] {
	return items.length < 1_000 ? [{ kind: "waiting" }] : [{ kind: "arriving", first: items.slice(0, 50).map(rowOf) }];
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function rowsOf(search: HeldSearch, query: ItemQuery, from: number, most: number): ItemRows {
	const question = JSON.stringify(query);
	if (search.latest?.question !== question) search.latest = { question, rows: matchingRows(search, query) };
	const { rows } = search.latest;
	return { matching: rows.length, rows: rows.slice(from, from + Math.min(most, 500)) };
}

function matchingRows(search: HeldSearch, query: ItemQuery): ItemRow[] {
	const words = query.filter.toLowerCase().split(/\s+/).filter(Boolean);
	const all = search.items.map(rowOf);
	const matching = all.filter(
		(row) =>
			(query.type === null || row.type === query.type) &&
			words.every((word) => Object.values(row).some((value) => String(value).toLowerCase().includes(word))),
	);
	return matching.sort((one, other) => compare(one, other, query.column, query.descending));
}

function compare(one: ItemRow, other: ItemRow, column: ItemColumn, descending: boolean): number {
	const [a, b] = [one[column], other[column]];
	const unsaid = Number(a === null || a === "") - Number(b === null || b === "");
	if (unsaid !== 0) return unsaid;
	return collator.compare(String(a), String(b)) * (descending ? -1 : 1);
}

function rowOf({ info, purposes, machines, ...item }: DataStoreItem, place: number): ItemRow {
	return {
		...item,
		item: place,
		location: info.find(({ name }) => name === "info.path")?.value ?? "",
		purposes: purposes.join(", "),
		machines: machines.map(({ name }) => name).join(", "),
	};
}

export function finding(world: World) {
	return {
		findItems: (site, form, { query, most, apart }) => {
			if (!apart) noteFilters(world, site.id, form);
			return {
				operation: "find_items",
				parameters: [],
				unrecorded: true,
				steps: arriving(world),
				work: () => {
					const last = world.itemSearches.get(site.id);
					const search = hold(world, site.id, form);
					const first = rowsOf(held(world, site.id, search.id), query, 0, most);
					if (apart && last) world.itemSearches.set(site.id, last);
					else if (apart) world.itemSearches.delete(site.id);
					return { search, first };
				},
				judge: ({ search }) => fine(`${search.total} items`),
			};
		},
	} satisfies Partial<Deeds>;
}

export function searching(world: World) {
	return {
		lastItemSearch: ({ site: id }) => world.itemSearches.get(id)?.view ?? null,
		recentItemFilters: (id) => world.itemFilters.get(id) ?? [],
		itemRows: ({ site: id }, search, query, from, most) => rowsOf(held(world, id, search), query, from, most),
		itemDetails: ({ site: id }, search, place) => itemOf(world, id, search, place),
		revealItem: ({ site: id }, search, place) => {
			const { name, info } = itemOf(world, id, search, place);
			return info.filter(({ secret }) => secret).map((one) => ({ ...one, value: `open sesame ${name}` }));
		},
		saveItems: ({ site: id }, search, _query, format) => {
			held(world, id, search);
			return savedFile(world, `${siteIn(world, id).name} data store items.${format}`, 52_100);
		},
	} satisfies Partial<Doings>;
}
