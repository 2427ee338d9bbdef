import type { ComparisonView, DifferenceView, Kind, SideView, SiteId, SnapshotsView } from "@/bridge";
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
		isSeenLeft: false,
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
	missing: [],
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
	changed: [],
	notRecorded: [],
	equal: [{ resourceKind: "services", count: 209 }],
	unknownSecrets: 0,
	isHistoryKnown: true,
	ownValues: 0,
	isBetween: false,
	substitutions: [],
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

const sideOf = (site: SiteId, siteName: string, server: string | null): SideView => ({
	side: { site, server, snapshot: 2 },
	siteName,
	serverName: server && `${server}.example.org/server`,
	at: night,
});

/** Fixture: snapshots of a site and of a test site, and the differences between both. */
export const betweenWorld = (site: SiteId): NonNullable<MemoryOptions["world"]> => ({
	...changedWorld(site),
	sides: [
		sideOf(site, "Harbour", null),
		sideOf(site, "Harbour", "gis"),
		sideOf("test", "Harbour Test", null),
		sideOf("test", "Harbour Test", "test"),
	],
	comparison: {
		...comparison,
		isBetween: true,
		isHistoryKnown: false,
		unknownSecrets: 3,
		ownValues: 12,
		differences: [
			differenceOf("services", "Zoning/Draft_B12.FeatureServer", {
				change: "missing",
				first: null,
				fields: 0,
				isSeenLeft: true,
			}),
			differenceOf("services", "Parcels/Zoning.MapServer", { fields: 2 }),
		],
		substitutions: [
			{ pair: { left: "test.example.org", right: "harbour.example.org" }, who: "", at: null, values: 402 },
			{ pair: { left: "test", right: "harbour" }, who: "", at: null, values: 0 },
			{ pair: { left: "gis_test", right: "gis_prod" }, who: "ana", at: night, values: 0 },
		],
	},
});
