import type {
	HistoryEntry,
	KnownPortalExport,
	PortalComparison,
	PortalImportReport,
	PortalProof,
	PortalSafetyBackup,
	SiteId,
} from "../bindings";
import type { Doings } from "./answer";
import { type Deed, type Deeds, parameters } from "./deeds";
import { found, refuseUnconfirmed, unexpected, wrong } from "./problems";
import type { World } from "./world";

const version = "11.5";
const size = 214_600_000;

export function importingPortals(world: World) {
	/** Stores the report with its history entry. */
	function importOf(values: Record<string, string>, folder: string | null): Deed<PortalImportReport> {
		return {
			operation: "import_portal",
			parameters: parameters({ ...values, safetyBackup: folder === null ? "" : `${folder}/before.portalsite` }),
			steps: [
				{ kind: "checkingExport" },
				...(folder === null ? [] : ([{ kind: "checking" }, { kind: "securing" }] as const)),
				{ kind: "waiting" },
			],
			work: (entry: HistoryEntry) => {
				const report = {
					checkOnly: false,
					warned: false,
					messages: [],
					safetyBackup: folder === null ? null : safetyBackupOf(world, entry, folder),
					proof: proofOf(world, values.location ?? ""),
				};
				world.portalReports.set(entry.id, report);
				return report;
			},
			judge: () => ({ outcome: "succeeded", note: values.location ?? "" }),
		};
	}

	return {
		importPortal: (site, { location, exportVersion, safetyBackup, confirmation, checkOnly }) => {
			if (location.trim() === "") throw wrong("location", "required");
			if (safetyBackup !== null && safetyBackup.trim() === "") throw wrong("safetyBackup", "required");
			if (checkOnly) {
				return {
					operation: "import_portal",
					parameters: parameters({ location }),
					unrecorded: true,
					isCheck: true,
					steps: [{ kind: "checkingExport" }],
					work: () => ({ checkOnly: true, warned: false, messages: [], safetyBackup: null, proof: null }),
					judge: () => ({ outcome: "succeeded", note: "" }),
				};
			}
			const isKnown = writtenTo(world, site.id, location) !== undefined;
			if (!isKnown && exportVersion === null) throw wrong("exportVersion", "required");
			refuseUnconfirmed(site.confirmByTyping.portalImport, confirmation);
			if (!isKnown && exportVersion !== version) {
				const why = { kind: "otherVersion", export: exportVersion ?? "", portal: version } as const;
				throw { kind: "preconditionFailed", why };
			}
			return importOf({ location }, safetyBackup);
		},
		undoPortalImport: (site, record, confirmation, folder) => {
			refuseUnconfirmed(site.confirmByTyping.portalImport, confirmation);
			const location = world.portalReports.get(record)?.safetyBackup?.location;
			if (location === undefined) {
				throw unexpected("this record is no import of this portal with a safety backup");
			}
			return importOf({ location, undoes: record }, folder);
		},
	} satisfies Partial<Deeds>;
}

/** Exports, comparisons, and effects before a portal import. */
export const replacingPortals = (world: World) =>
	({
		previewPortalImport: (id) => ({
			version,
			effects: [
				"replacesEverything",
				"sessionsEnd",
				"federation",
				"hostedServices",
				"plansWait",
				"indexedAgain",
				"mayTakeLong",
			],
			exports: exportsOf(world, id),
		}),
		compareWithPortalExport: (id, location) => {
			const export_ = writtenTo(world, id, location);
			const otherSite = export_?.site === id ? undefined : world.sites.find((one) => one.id === export_?.site)?.name;
			const since = export_?.site === id ? changesSince(world, id, export_.at) : [];
			return {
				exportVersion: export_?.version ?? null,
				portalVersion: version,
				...(otherSite === undefined ? {} : { otherSite }),
				inventory: world.portalInventory,
				comparison: world.portalComparisons.get(location) ?? null,
				changes: { changes: since.slice(0, 5), count: since.length },
			};
		},
		checkPortalImport: (id, record) => {
			const { site, operation, parameters } = found(world.history, (one) => one.id === record, `record ${record}`);
			if (site !== id || operation !== "import_portal") throw unexpected("this record is no import of this portal");
			const proof = proofOf(world, parameters.find(({ name }) => name === "location")?.value ?? "");
			const report = world.portalReports.get(record);
			if (report) report.proof = proof;
			return proof;
		},
	}) satisfies Partial<Doings>;

export const judgingPortalImports = (world: World) =>
	({
		portalImportReport: (record) => {
			const report = world.portalReports.get(record);
			if (!report) throw unexpected("this record keeps no import report");
			return report;
		},
	}) satisfies Partial<Doings>;

/** Returns the export that the portal wrote to a path, or else that of another portal. */
function writtenTo(world: World, id: SiteId, location: string) {
	const all = [id, ...world.sites.map((site) => site.id)].flatMap((site) =>
		exportsOf(world, site).map((one) => ({ ...one, site })),
	);
	return all.find((one) => one.location === location);
}

function exportsOf(world: World, id: SiteId): KnownPortalExport[] {
	const exports = world.history.filter(
		({ site, operation, outcome }) =>
			site === id && operation === "export_portal" && (outcome === "succeeded" || outcome === "warnings"),
	);
	return exports.map(({ id: record, note, endedAt, startedAt, parameters }) => ({
		record,
		location: note,
		at: endedAt ?? startedAt,
		version,
		items: world.portalComparisons.has(note) ? world.portalInventory.items : null,
		size,
		isSafetyBackup: parameters.some(({ name }) => name === "purpose"),
	}));
}

function changesSince(world: World, id: SiteId, at: number): HistoryEntry[] {
	const changes = new Set(["import_portal", "update_participant", "refresh_invitation"]);
	return world.history.filter(
		({ site, operation, startedAt }) => site === id && startedAt >= at && changes.has(operation),
	);
}

function proofOf(world: World, location: string): PortalProof {
	return { inventory: world.portalInventory, comparison: world.portalComparisons.get(location) ?? null };
}

/** Returns the comparison of the portal with an export that was just made. */
export function asExported({ portalInventory: { items, takenAt } }: World): PortalComparison {
	return { exportedAt: takenAt, countedAt: takenAt, rows: [{ part: { kind: "items" }, portal: items, export: items }] };
}

function safetyBackupOf(world: World, { startedAt }: HistoryEntry, folder: string): PortalSafetyBackup {
	const location = `${folder}/before.portalsite`;
	world.portalComparisons.set(location, asExported(world));
	return { location, warnings: [], record: null, writtenAt: startedAt };
}
