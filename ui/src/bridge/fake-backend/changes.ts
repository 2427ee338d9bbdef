import type { ComparisonView, SiteId, SnapshotsView } from "../bindings";
import type { Doings } from "./answer";
import type { World } from "./world";

/** Snapshots and comparisons, as the test gives them. Nothing is compared here. */
export const changing = (world: World) =>
	({
		snapshots: (site) => snapshotsOf(world, site),
		takeSnapshot: (site) => {
			const view = snapshotsOf(world, site);
			const id = (view.snapshots[0]?.id ?? 0) + 1;
			const taken = { id, at: Date.now(), cause: "manual" as const, sha256: "ab".repeat(32), failure: "" };
			const next = { ...view, snapshots: [taken, ...view.snapshots] };
			world.snapshots.set(site, next);
			return next;
		},
		stopSnapshot: (site) => {
			world.snapshots.set(site, { ...snapshotsOf(world, site), isTaking: false });
		},
		compareSnapshots: () => world.comparison ?? nothing,
		comparedFields: (_site, _from, _to, key) => world.comparedFields.get(key.name) ?? [],
		acceptDifference: (_site, key, _snapshot, reason) => {
			const trimmed = reason?.trim() ?? null;
			if (trimmed === "") throw { kind: "form", field: "reason", fault: "required" };
			const accepted = trimmed === null ? null : { reason: trimmed, at: Date.now(), who: "ana" };
			const before = world.comparison ?? nothing;
			world.comparison = {
				...before,
				differences: before.differences.map((one) => (one.key.name === key.name ? { ...one, accepted } : one)),
			};
		},
		setFieldCompared: (site, kind, field, isCompared) => {
			const view = snapshotsOf(world, site);
			const volatile = view.volatile.map((one) =>
				one.resourceKind === kind && one.field === field ? { ...one, isCompared } : one,
			);
			world.snapshots.set(site, { ...view, volatile });
		},
		saveChanges: () => ({ kind: "dismissed" as const }),
		simulateChanges: () => undefined,
	}) satisfies Partial<Doings>;

const nothing: ComparisonView = {
	differences: [],
	notCompared: [],
	equal: [],
	unknownSecrets: 0,
	isHistoryKnown: true,
};

function snapshotsOf(world: World, site: SiteId): SnapshotsView {
	return world.snapshots.get(site) ?? { snapshots: [], isTaking: false, volatile: [] };
}
