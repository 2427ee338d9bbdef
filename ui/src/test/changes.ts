import type { ComparisonView, DifferenceView, Kind, SiteId, SnapshotsView } from "@/bridge";
import type { MemoryOptions } from "@/bridge/fake-backend";

const night = Date.UTC(2026, 10, 28, 2);
const day = 86_400_000;

export function differenceOf(kind: Kind, name: string, more: Partial<DifferenceView> = {}): DifferenceView {
	return {
		key: { kind, place: "s1", name },
		server: "gis.example.org/server",
		change: "differs",
		first: { field: "minInstancesPerNode", before: "1", after: "4", isSecret: false, isList: false },
		fields: 1,
		firstSeen: night,
		by: null,
		accepted: null,
		...more,
	};
}

export const snapshots: SnapshotsView = {
	snapshots: [
		{ id: 2, at: night, cause: "manual", sha256: "ab".repeat(32), failure: "" },
		{ id: 1, at: night - day, cause: "export", sha256: "cd".repeat(32), failure: "" },
	],
	isTaking: false,
	volatile: [{ resourceKind: "machines", field: "serverTime", learnedAt: night, isCompared: false }],
};

export const comparison: ComparisonView = {
	differences: [
		differenceOf("services", "Harbor/Tides.MapServer", { change: "missing", first: null, fields: 0 }),
		differenceOf("services", "Parcels/Zoning.MapServer", {
			fields: 2,
			by: { record: "record-1", operation: "import_server", at: night - 3_600_000, username: "ana" },
		}),
		differenceOf("dataStoreItems", "/fileShares/aerial"),
	],
	notCompared: [{ resourceKind: "collaborations", server: null, name: "", reason: "403 (not permitted)" }],
	equal: [{ resourceKind: "services", count: 209 }],
	unknownSecrets: 0,
	isHistoryKnown: true,
};

/** Fixture: site with two snapshots that differ. */
export const changedWorld = (site: SiteId): NonNullable<MemoryOptions["world"]> => ({
	snapshots: new Map([[site, snapshots]]),
	comparison,
	comparedFields: new Map([
		[
			"Parcels/Zoning.MapServer",
			[
				{ field: "minInstancesPerNode", before: "1", after: "4", isSecret: false, isList: false },
				{ field: "properties / connection", before: "***", after: "***", isSecret: true, isList: false },
			],
		],
	]),
});
