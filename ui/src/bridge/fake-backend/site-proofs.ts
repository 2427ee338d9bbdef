import type { SiteId, SiteProofView } from "../bindings";
import type { Doings } from "./answer";
import { siteIn, type World } from "./world";

/** Checks of whole sites. A test puts their findings into the world; nothing is checked here. */
export const provingSites = (world: World) =>
	({
		siteProof: (id) => world.siteProofs.get(id) ?? null,
		checkSiteBack: (id) => {
			const view: SiteProofView = { ...viewOf(world, id), isWaiting: true, nextAt: Date.now() };
			world.siteProofs.set(id, view);
			return view;
		},
		stopSiteCheck: (id) => {
			world.siteProofs.set(id, { ...viewOf(world, id), isWaiting: false, nextAt: null });
		},
	}) satisfies Partial<Doings>;

function viewOf(world: World, id: SiteId): SiteProofView {
	const nothing = { import: null, importStartedAt: null, importEndedAt: null, isWaiting: false, nextAt: null };
	return world.siteProofs.get(id) ?? { site: siteIn(world, id).id, ...nothing, proof: null, unknownImportAt: null };
}
