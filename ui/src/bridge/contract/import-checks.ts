import { serverOf } from "@/lib/target";
import type { Backend } from "../backend";
import type { ImportReport, ServiceCheck } from "../bindings";
import { city, exported, practice, recordOf, reportOf, run, serverAt } from "./given";
import { has, ok, refuses, type Situation } from "./situation";

const plain = { confirmation: "", safetyBackup: null, deactivateWebhooks: null };
const secured = { ...plain, safetyBackup: { alsoHere: false } };

const notRunning = (check: ServiceCheck) => check.notRunning.map(({ service }) => service).toSorted();

function notStarted({ sources }: ImportReport): string[] {
	const failed = sources.flatMap(({ messages }) => messages.flatMap(({ service }) => service?.service ?? []));
	return failed.toSorted();
}

async function imported(backend: Backend, site: string, location: string) {
	return backend.importServer(await serverAt(backend, site), run(), { ...plain, location });
}

/** Checks before and after an import: of the services and of the export. */
export const importChecks: Situation[] = [
	{
		name: "the check of the services counts those that are set to run",
		play: async (backend) => {
			const { site } = await practice(backend);
			const check = await backend.checkServices(serverOf(site));
			ok(check.services >= (await backend.listServices(serverOf(site))).length, `there are ${check.services} services`);
			ok(check.shouldRun > 0 && check.shouldRun <= check.services, `${check.shouldRun} are set to run`);
			has(check.shouldRun - check.running, check.notRunning.length);
		},
	},
	{
		name: "the services that an import does not start are not running after it",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const before = await backend.checkServices(serverOf(site));
			const report = reportOf(await imported(backend, site.id, await exported(backend, site.id, exportFolder)));
			// The file was never on this computer, so its contents are unknown.
			has(report.proof, { servicesBefore: before.services, lost: null, later: [] });
			const check = report.proof?.check;
			ok(check !== undefined && check !== null, "the services were not checked");
			has(check.services, before.services);
			has(notRunning(check), notStarted(report));
			has(notRunning(await backend.checkServices(serverOf(site))), notStarted(report));
		},
	},
	{
		name: "a later check is added to the report of the import",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const record = recordOf(await imported(backend, site.id, location));
			const first = await backend.checkServicesAgain(site.id, record);
			const second = await backend.checkServicesAgain(site.id, record);
			has((await backend.importReport(record)).proof, { later: [first, second] });
		},
	},
	{
		name: "services are checked again after an import of the same site only",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const place = { kind: "serverFolder" as const, location: exportFolder };
			const ended = await backend.exportServer(serverOf(site), run(), { place });
			const unexpected = { kind: "unexpected" };
			await refuses(backend.checkServicesAgain(site.id, recordOf(ended)), unexpected);
			await refuses(backend.checkServicesAgain(site.id, "none"), unexpected);
			const { outcome } = reportOf(ended);
			ok(outcome.status === "written", `the server export ended as ${outcome.status}`);
			const record = recordOf(await imported(backend, site.id, outcome.location));
			const { id } = await city(backend);
			await refuses(backend.checkServicesAgain(id, record), unexpected);
		},
	},
	{
		name: "an export in a folder of the server, or that this app did not make, cannot be compared",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const nothing = {
				comparison: null,
				otherServer: null,
				isBeside: false,
				changes: { count: 0, changes: [] },
				contents: null,
			};
			const ofPath = { ...nothing, noInventory: "unknownContent" };
			const path = await exported(backend, site.id, exportFolder);
			has(await backend.compareWithExport(serverOf(site), { kind: "path", path }), ofPath);
			has(await backend.compareWithExport(serverOf(site), { kind: "path", path: "/srv/backup/city.agssite" }), ofPath);
			has(await backend.compareWithExport(serverOf(site), { kind: "upload", id: "none" }), nothing);
		},
	},
	{
		name: "a safety backup is among the uploads with its size, and can be compared",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const { safetyBackup } = reportOf(await backend.importServer(serverOf(site), run(), { ...secured, location }));
			ok(safetyBackup !== null, "there is no safety backup");
			const { upload, size } = safetyBackup;
			ok(
				(await backend.listUploads(serverOf(site))).some(({ id }) => id === upload),
				`${upload} is not listed`,
			);
			has(await backend.storedFile(serverOf(site), upload), { size, local: null });
			has(await backend.storedFile(serverOf(site), "none"), { size: null, local: null });
			const { comparison, noInventory, changes } = await backend.compareWithExport(serverOf(site), {
				kind: "upload",
				id: upload,
			});
			has(comparison, { differences: [] });
			has(noInventory, null);
			has(changes, { count: 1, changes: [{ operation: "import_server" }] });
		},
	},
];
