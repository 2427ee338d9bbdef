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
import { found, there } from "./problems";
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
		importPortal: (_site, { location, safetyBackup, checkOnly }) => {
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
			return importOf({ location }, safetyBackup);
		},
		undoPortalImport: (_site, record, _confirmation, folder) => {
			const backup = there(world.portalReports.get(record)?.safetyBackup ?? undefined, `safety backup of ${record}`);
			return importOf({ location: backup.location, undoes: record }, folder);
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
			const exported = exportsOf(world, id).find((one) => one.location === location);
			return {
				exportVersion: exported?.version ?? null,
				portalVersion: version,
				inventory: world.portalInventory,
				comparison: world.portalComparisons.get(location) ?? null,
				changes: { changes: [], count: 0 },
			};
		},
		checkPortalImport: (_site, record) => {
			const { parameters } = found(world.history, (one) => one.id === record, `record ${record}`);
			const proof = proofOf(world, parameters.find(({ name }) => name === "location")?.value ?? "");
			const report = world.portalReports.get(record);
			if (report) report.proof = proof;
			return proof;
		},
	}) satisfies Partial<Doings>;

export const judgingPortalImports = (world: World) =>
	({
		portalImportReport: (record) => there(world.portalReports.get(record), `report ${record}`),
	}) satisfies Partial<Doings>;

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
