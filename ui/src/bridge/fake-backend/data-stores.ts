import type { DataStoreItem, DataUse, ItemValidation, SearchValidation, SiteId } from "../bindings";
import type { Doings } from "./answer";
import { type Deeds, fine } from "./deeds";
import { held, itemOf } from "./items";
import { refused } from "./problems";
import type { HeldSearch } from "./seed";
import type { World } from "./world";

function verdictOn(world: World, { path, machines }: DataStoreItem): ItemValidation {
	const reason = world.unusableItems.get(path);
	const at = Date.now();
	return {
		path,
		at,
		verdict: reason === undefined ? "valid" : "invalid",
		reasons: reason === undefined ? [] : [reason],
		machines: machines.map(({ name }) => ({ name, health: "Healthy", status: "Started" })),
		validAt: reason === undefined ? at : null,
	};
}

function keep(world: World, site: SiteId, verdict: ItemValidation): void {
	const ofSite = world.itemValidations.get(site) ?? new Map<string, ItemValidation>();
	const before = ofSite.get(verdict.path)?.validAt ?? null;
	ofSite.set(verdict.path, { ...verdict, validAt: verdict.validAt ?? before });
	world.itemValidations.set(site, ofSite);
}

function ofSearch(world: World, site: SiteId, { items }: HeldSearch): SearchValidation {
	const kept = items.flatMap(({ path }) => world.itemValidations.get(site)?.get(path) ?? []);
	const count = (verdict: ItemValidation["verdict"]) => kept.filter((one) => one.verdict === verdict).length;
	return {
		at: kept.length === 0 ? null : Math.max(...kept.map(({ at }) => at)),
		valid: count("valid"),
		warnings: count("warnings"),
		invalid: count("invalid"),
		notValidated: count("notValidated"),
		named: kept.filter(({ verdict }) => verdict !== "valid"),
	};
}

export function checking(world: World) {
	return {
		validateItems: (site, search, place) => {
			const last = held(world, site.id, search);
			const items = place === null ? last.items : [itemOf(world, site.id, search, place)];
			return {
				operation: "find_items",
				act: "validate_data_items",
				parameters: [],
				unrecorded: true,
				isCheck: true,
				steps: [{ kind: "batch", done: 0, total: items.length }],
				work: () => {
					for (const item of items) keep(world, site.id, verdictOn(world, item));
					return ofSearch(world, site.id, last);
				},
				judge: ({ valid }) => fine(`${valid} valid`),
			};
		},
		findDataUse: (site) => ({
			operation: "find_items",
			act: "find_data_use",
			parameters: [],
			unrecorded: true,
			isCheck: true,
			steps: [{ kind: "services", done: 0, total: world.services.length }],
			work: () => {
				const named = world.withoutManifest.map((service) => ({ service, reason: "The manifest was not found." }));
				const read = world.services.length - named.length;
				const use: DataUse = { at: Date.now(), read, unread: named.length, named };
				world.dataUse.set(site.id, use);
				return use;
			},
			judge: ({ read }) => fine(`${read} services`),
		}),
	} satisfies Partial<Deeds>;
}

export function checked(world: World) {
	return {
		searchValidation: ({ site }, search) => ofSearch(world, site, held(world, site, search)),
		itemValidation: ({ site }, search, place) =>
			world.itemValidations.get(site)?.get(itemOf(world, site, search, place).path) ?? null,
		itemUse: ({ site }, search, place) => {
			const { path } = itemOf(world, site, search, place);
			const all = world.dataUse.get(site);
			return all ? { services: world.usedBy.get(path) ?? null, perhaps: [], all } : null;
		},
	} satisfies Partial<Doings>;
}

export function ofServices(world: World) {
	return {
		serviceData: ({ site }, service) => {
			if (world.withoutManifest.includes(service)) throw refused(404, "The manifest was not found.");
			const users = [...world.usedBy].filter(([, services]) => services.includes(service)).map(([path]) => path);
			const items = world.items.filter(({ path }) => users.includes(path));
			return {
				at: Date.now(),
				items: items.map(({ path, type }) => ({
					path,
					type,
					isCertain: true,
					validation: world.itemValidations.get(site)?.get(path) ?? null,
				})),
				elsewhere: items.length === 0 ? ["D:\\gis\\data"] : [],
				gap: null,
			};
		},
	} satisfies Partial<Doings>;
}
