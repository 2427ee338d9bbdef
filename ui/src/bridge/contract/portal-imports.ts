import type { Backend } from "../backend";
import type { ImportPortalForm, SiteId } from "../bindings";
import { city, past, practice, recordOf, reportOf, run, userOf } from "./given";
import { fails, has, ok, type Situation } from "./situation";

const plain = { exportVersion: null, safetyBackup: null, confirmation: "", checkOnly: false };
const wrong = (field: string, fault: string) => ({ kind: "form", field, fault });

async function exportedPortal(backend: Backend, site: SiteId, location: string): Promise<string> {
	const target = { kind: "folder" as const, location };
	const { outcome } = reportOf(await backend.exportPortal(site, run(), { target, checkOnly: false }));
	ok(outcome.status === "written", `the portal export ended as ${outcome.status}`);
	return outcome.location;
}

/** Imports of a portal. Each ends the session, so the user signs in again. */
export const portalImports: Situation[] = [
	{
		name: "a portal that was exported is imported, compared with the export, and the import is undone",
		play: async (backend) => {
			const view = await practice(backend);
			const { site, exportFolder } = view;
			const administrator = userOf(view, "administrator");
			const location = await exportedPortal(backend, site.id, exportFolder);
			has((await backend.previewPortalImport(site.id)).exports[0], { location, isSafetyBackup: false });
			const form = { ...plain, location, safetyBackup: exportFolder };
			const ended = await backend.importPortal(site.id, run(), form);
			const { safetyBackup } = reportOf(ended);
			ok(safetyBackup !== null, "there is no safety backup");
			await backend.signInToPractice(administrator);
			const { comparison } = await backend.checkPortalImport(site.id, recordOf(ended));
			ok(
				comparison?.rows.every((row) => row.portal === row.export) === true,
				`it is not as it was: ${JSON.stringify(comparison)}`,
			);
			has((await backend.portalImportReport(recordOf(ended))).proof, { comparison });
			const undone = await backend.undoPortalImport(site.id, run(), recordOf(ended), "", null);
			has((await past(backend, site.id))[0], {
				id: recordOf(undone),
				operation: "import_portal",
				outcome: "succeeded",
			});
			await backend.signInToPractice(administrator);
		},
	},
	{
		name: "a check of a portal export imports nothing and leaves no record",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exportedPortal(backend, site.id, exportFolder);
			const ended = await backend.importPortal(site.id, run(), { ...plain, location, checkOnly: true });
			has(ended, { kind: "done", record: null, report: { checkOnly: true } });
			has((await past(backend, site.id))[0], { operation: "export_portal" });
		},
	},
	{
		name: "a portal import asks for a file, its version, a folder, and the name of the site",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const form = { ...plain, location: "/srv/city.portalsite", exportVersion: "1.0", confirmation: "City GIS" };
			const refused = async (changes: Partial<ImportPortalForm>, problem: object) =>
				fails(backend.importPortal(id, run(), { ...form, ...changes }), problem);
			await refused({ location: " " }, wrong("location", "required"));
			await refused({ exportVersion: null }, wrong("exportVersion", "required"));
			await refused({ safetyBackup: " " }, wrong("safetyBackup", "required"));
			await refused({ confirmation: "City" }, wrong("confirmation", "notTheName"));
			await refused({}, { kind: "preconditionFailed", why: { kind: "otherVersion", export: "1.0" } });
			has(await backend.compareWithPortalExport(id, form.location), { exportVersion: null, comparison: null });
		},
	},
];
