import type { ComparisonView, SiteId, SnapshotsView, Substitution } from "../bindings";
import type { Doings } from "./answer";
import type { World } from "./world";

/** Snapshots and comparisons that a test puts into the world. Nothing is compared here. */
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
		comparedFields: (_compared, key) => world.comparedFields.get(key.name) ?? [],
		sides: () => world.sides,
		comparedImports: () => world.comparedImports,
		changedSinceAccepted: () => world.changed,
		snapshotBeforeImport: () => undefined,
		acceptDifference: (_compared, key, reason) => {
			const trimmed = reason?.trim() ?? null;
			if (trimmed === "") throw { kind: "form", field: "reason", fault: "required" };
			const accepted = trimmed === null ? null : { reason: trimmed, at: Date.now(), who: "ana" };
			const before = world.comparison ?? nothing;
			world.comparison = {
				...before,
				differences: before.differences.map((one) => (one.key.name === key.name ? { ...one, accepted } : one)),
			};
		},
		saveSubstitutions: (_compared, pairs) => {
			const before = world.comparison ?? nothing;
			const of = (pair: Substitution) =>
				before.substitutions.find((one) => one.pair.left === pair.left) ?? {
					pair,
					who: "ana",
					at: Date.now(),
					values: 0,
				};
			for (const pair of pairs) {
				if (pair.left.trim() === "") throw { kind: "form", field: "left", fault: "required" };
			}
			world.comparison = { ...before, substitutions: pairs.map(of) };
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
	changed: [],
	notRecorded: [],
	equal: [],
	unknownSecrets: 0,
	isHistoryKnown: true,
	ownValues: 0,
	isBetween: false,
	substitutions: [],
};

function snapshotsOf(world: World, site: SiteId): SnapshotsView {
	return world.snapshots.get(site) ?? { snapshots: [], missing: [], isTaking: false, volatile: [] };
}
