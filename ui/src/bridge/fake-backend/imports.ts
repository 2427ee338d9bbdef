import type {
	Comparison,
	HistoryEntry,
	HistoryKey,
	ImportReport,
	Parameter,
	ReactivatedWebhooks,
	RecordedChanges,
	SafetyBackup,
	ServiceCheck,
	SiteView,
} from "../bindings";
import type { Doings } from "./answer";
import { type Deed, type Deeds, parameters } from "./deeds";
import { found } from "./problems";
import { deactivatedFor } from "./webhooks";
import { siteIn, type World } from "./world";

const backupUpload = "i90b1";
const size = 214_600_000;

export function importing(world: World) {
	/** Stores the report with its history entry. */
	function importOf(
		values: Record<string, string>,
		backup: (entry: HistoryEntry) => SafetyBackup | null,
		reactivated: (entry: HistoryEntry) => ReactivatedWebhooks | null = () => null,
	): Deed<ImportReport> {
		return {
			operation: "import_server",
			parameters: parameters(values).map((one) => (isUpload(one) ? { ...one, isUpload: true } : one)),
			work: (entry: HistoryEntry) => {
				const reported = world.importReport;
				const servicesBefore = world.serviceCheck.services;
				world.serviceCheck = checkAfter(world.serviceCheck, reported);
				const lost = comparisonOf(world, values.location ?? null) ? [] : null;
				const report = {
					...reported,
					safetyBackup: backup(entry),
					proof: { check: world.serviceCheck, later: [], servicesBefore, lost },
					reactivated: reactivated(entry),
				};
				world.reports.set(entry.id, report);
				entry.hasReport = true;
				return report;
			},
			judge: ({ counts }) => {
				const isWhole = counts.errors + counts.failedServices + counts.warnings === 0;
				return { outcome: isWhole ? "succeeded" : "warnings", note: `${counts.failedServices} services did not start` };
			},
		};
	}

	return {
		importServer: (site, { location, safetyBackup, deactivateWebhooks }) => {
			const backup = safetyBackup ? backupUpload : "";
			return {
				...importOf(
					{ location, safetyBackup: backup },
					(entry) => safetyBackup && safetyBackupOf(world, entry, safetyBackup.alsoHere),
					(entry) => (deactivateWebhooks === null ? null : deactivatedFor(world, entry, site, deactivateWebhooks)),
				),
				dismissed: safetyBackup?.alsoHere === true && world.dialogs.saveTo === null,
				steps: [...(safetyBackup ? ([{ kind: "securing" }, { kind: "verifying" }] as const) : []), { kind: "waiting" }],
			};
		},
		undoImport: (_site, record, _confirmation, { secure }) => {
			const backup = secure ? backupUpload : "";
			return {
				...importOf({ location: backupUpload, undoes: record, safetyBackup: backup }, (entry) =>
					secure ? safetyBackupOf(world, entry, false) : null,
				),
				steps: [...(secure ? ([{ kind: "securing" }, { kind: "verifying" }] as const) : []), { kind: "waiting" }],
			};
		},
	} satisfies Partial<Deeds>;
}

function isUpload({ name, value }: Parameter): boolean {
	return name === "safetyBackup" || (name === "location" && !/[/\\:]/.test(value));
}

const changesTheServer: ReadonlySet<HistoryKey> = new Set([
	"import_server",
	"deactivate_webhooks",
	"deactivate_webhook",
	"reactivate_webhooks",
]);

function changesOf(entries: readonly HistoryEntry[], id: SiteView["id"]): RecordedChanges {
	const changes = entries.filter(({ site, operation }) => site === id && changesTheServer.has(operation));
	return { changes: changes.slice(0, 5), count: changes.length };
}

/**
 * Returns the differences to an export by its upload ID or local path; `null` for other files, which were never on this
 * computer.
 */
function comparisonOf(world: World, upload: string | null): Comparison | null {
	return world.comparisons.get(upload ?? "") ?? null;
}

/** Uploads, comparisons, and effects before a server import. */
export const replacing = (world: World) =>
	({
		listUploads: () => world.uploads,
		compareWithExport: ({ site: id }, location) => {
			const upload = location.kind === "upload" ? location.id : null;
			const comparison = comparisonOf(world, location.kind === "here" ? location.path : upload);
			const contents = comparison ? null : (world.contents.get(upload ?? "") ?? null);
			const why = upload === null ? "unknownContent" : world.noInventory;
			const since = world.history.filter(({ startedAt }) => comparison && startedAt >= comparison.exportTakenAt);
			const isWhole = comparison?.notCompared.every(({ kind }) => kind !== "services");
			return {
				services: isWhole ? world.services.length : null,
				comparison,
				noInventory: comparison ? null : why,
				otherServer: comparison === null ? null : world.exportedFrom,
				isBeside: comparison !== null && world.inventoryIsBeside,
				changes: changesOf(since, id),
				contents,
			};
		},
		checkServices: () => world.serviceCheck,
		checkServicesAgain: (_site, record) => {
			const proof = world.reports.get(record)?.proof;
			if (proof) proof.later = [...proof.later, world.serviceCheck];
			return world.serviceCheck;
		},
		listExportEntries: (_target, file) => {
			const path = file.kind === "choose" ? world.dialogs.chosenFile : "";
			return { path, count: world.exportEntries.length, repeated: 0, names: world.exportEntries, fault: null };
		},
		storedFile: (_site, upload) => ({
			size: world.uploads.some(({ id }) => id === upload) ? size : null,
			local: world.localFiles.get(upload) ?? null,
		}),
		previewImport: ({ site: id }) => {
			const site = siteIn(world, id);
			return {
				site: site.name,
				services: world.services.length,
				cautions: [
					"replacesEverything",
					"directoriesMustExist",
					"primaryAdministratorStays",
					"webAdaptorsAgain",
					"mayTakeLong",
					"excludedFromExport",
				],
				excluded: ["cacheTiles", "serviceData", "logs", "primaryAdministrator", "statistics", "webAdaptors"],
			};
		},
	}) satisfies Partial<Doings>;

function checkAfter(before: ServiceCheck, { sources }: ImportReport): ServiceCheck {
	const failed = sources.flatMap(({ messages }) => messages.flatMap(({ service }) => service?.service ?? []));
	const notRunning = failed.map((service) => ({ service, state: "STOPPED" }));
	return { ...before, checkedAt: Date.now(), running: before.shouldRun - failed.length, notRunning };
}

function safetyBackupOf(world: World, { startedAt }: HistoryEntry, alsoHere: boolean): SafetyBackup {
	world.uploads = world.uploads.filter(({ id }) => id !== backupUpload);
	world.uploads.push({
		id: backupUpload,
		name: "before.agssite",
		description: "",
		date: String(startedAt),
		here: { name: null, size: null, at: startedAt, isSafetyBackup: true },
	});
	world.comparisons.set(backupUpload, { exportTakenAt: startedAt, differences: [], notCompared: [] });
	const path = "/home/sam/Documents/before.agssite";
	return {
		upload: backupUpload,
		location: `https://gis.example.org/server/admin/uploads/${backupUpload}`,
		size,
		entries: 431,
		unverifiedEntries: alsoHere ? 0 : null,
		isRecognized: alsoHere ? true : null,
		warnings: [],
		saved: alsoHere ? { path, size, sha256: "9f86d081884c7d65" } : null,
		record: null,
		takenAt: Date.now(),
	};
}

/** Changes that an undo of an import reverts, according to the history. */
export function undoing(world: World) {
	return {
		previewUndo: (record) => {
			const entry = found(world.history, (one) => one.id === record, `record ${record}`);
			const since = world.history.slice(0, world.history.indexOf(entry));
			return changesOf(since, entry.site);
		},
	} satisfies Partial<Doings>;
}
