import { type Deeds, fine, parameters } from "./deeds";
import { savedFile } from "./dialogs";
import { asExported } from "./portal-imports";
import type { World } from "./world";

const name = "Nov-20-2026_21-40-11";
const size = 214_600_000;

/** Exports. A portal export to a location with the word `warn` ends with warnings. */
export function exporting(world: World) {
	return {
		exportPortal: (_site, { target, checkOnly }) => {
			const location = target.kind === "portal" ? "" : target.location;
			return {
				operation: "export_portal",
				parameters: parameters({
					location,
					...(target.kind === "bucket" && {
						backupObjectStore: target.bucket,
						backupObjectStoreRegion: target.region,
					}),
					...(target.kind === "blob" && {
						backupObjectStore: target.container,
						accountName: target.accountName,
						accountEndpoint: target.accountEndpoint,
					}),
				}),
				unrecorded: checkOnly,
				steps: checkOnly ? [{ kind: "checking" }] : [{ kind: "checking" }, { kind: "waiting" }],
				work: ({ id }) => {
					if (checkOnly) return { outcome: { status: "checked" }, inventory: null };
					const isUrl = target.kind === "portal";
					const folder = isUrl ? "https://gis.example.org/portal/portaladmin/exports" : location;
					const written = `${folder}/${name}.portalsite`;
					const inventory = world.portalInventory;
					world.portalComparisons.set(written, asExported(world));
					world.exportFiles.set(id, written);
					if (!location.includes("warn"))
						return { outcome: { status: "written", location: written, isUrl }, inventory };
					const messages = ["Item 3f1c9 “Bridges 2019” is in the database and not in the content directory."];
					return { outcome: { status: "writtenWithWarnings", location: written, isUrl, messages }, inventory };
				},
				judge: ({ outcome }) => ({
					outcome: outcome.status === "writtenWithWarnings" ? "warnings" : "succeeded",
					note: "location" in outcome ? outcome.location : "",
				}),
			};
		},
		exportServer: (_site, { place }) => {
			const isHere = place.kind === "thisComputer";
			const folder = isHere ? "" : place.location;
			return {
				operation: "export_server",
				dismissed: isHere && world.dialogs.saveTo === null,
				parameters: parameters({ location: folder }),
				steps: isHere
					? [
							{ kind: "asking" },
							{ kind: "waiting" },
							{ kind: "downloading", done: size / 4, total: size },
							{ kind: "downloading", done: size / 2, total: size },
							{ kind: "saving" },
						]
					: [{ kind: "waiting" }],
				work: ({ id }) => {
					const file = `${name}.agssite`;
					const location = `${isHere ? "https://gis.example.org/server/admin/uploads/i90b1" : folder}/${file}`;
					const inventory = { services: 32, webhooks: 5, dataItems: world.items.length, missing: world.missingParts };
					const asItIs = { exportTakenAt: Date.now(), differences: [], notCompared: [] };
					if (isHere) world.comparisons.set("i90b1", asItIs);
					const saving = isHere ? savedFile(world, file, size) : null;
					if (saving?.kind === "saved") world.lastExportSize = size;
					world.exportFiles.set(id, saving?.kind === "saved" ? saving.file.path : location);
					return {
						outcome: { status: "written", location, isUrl: isHere },
						saving,
						inventory,
						verification: saving?.kind === "saved" ? world.exportVerification : null,
					};
				},
				judge: ({ outcome, saving }) => {
					const stored = "location" in outcome ? outcome.location : "";
					return fine(saving?.kind === "saved" ? saving.file.path : stored);
				},
			};
		},
	} satisfies Partial<Deeds>;
}
