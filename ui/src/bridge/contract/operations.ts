import { serverOf } from "@/lib/target";
import type { Backend } from "../backend";
import type { ExportPortalForm, ParticipantView, RunStep } from "../bindings";
import { city, exported, past, practice, recordOf, reportOf, run, serverAt } from "./given";
import { fails, has, ok, refuses, type Situation, until } from "./situation";

const wrong = (field: string, fault: string) => ({ kind: "form", field, fault });
const folder = (location: string, checkOnly = false): ExportPortalForm => ({
	target: { kind: "folder", location },
	checkOnly,
});
const serverFolder = (location: string) => ({ place: { kind: "serverFolder" as const, location } });
const hydrants = "Hosted/Hydrants.FeatureServer";

async function guest(backend: Backend, site: string): Promise<ParticipantView> {
	const participants = await backend.listParticipants(site);
	const found = participants.find(({ role, hostedElsewhere }) => /guest/i.test(role) && hostedElsewhere === null);
	ok(found !== undefined, "there is no guest to update");
	return found;
}

async function activeWebhooks(backend: Backend, site: string, path: string): Promise<string[]> {
	const service = (await backend.listServices(await serverAt(backend, site))).find((one) => one.path === path);
	return service?.webhooks?.filter(({ active }) => active).map(({ name }) => name) ?? [];
}

/** Waits until the only run reaches a step, and stops it there. */
async function stoppedAt(backend: Backend, kind: RunStep["kind"]): Promise<void> {
	await until(async () => (await backend.listRuns()).running[0]?.step.kind === kind, `the run is ${kind}`);
	for (const { id } of (await backend.listRuns()).running) await backend.stopRun(id);
}

const delay = { fault: "delay", times: 1, seconds: 60, after: false } as const;

export const operations: Situation[] = [
	{
		name: "a portal export is written into the folder, recorded, and the site's last export",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const ended = await backend.exportPortal(site.id, run(), folder(exportFolder));
			const { outcome, inventory } = reportOf(ended);
			ok(outcome.status === "written", `it ended as ${outcome.status}`);
			ok(outcome.location.startsWith(exportFolder), `it is at ${outcome.location}`);
			ok(outcome.location.endsWith(".portalsite"), `it is at ${outcome.location}`);
			ok(
				(inventory?.items ?? 0) > 0 && inventory?.missing.length === 0,
				`its inventory is ${JSON.stringify(inventory)}`,
			);
			has((await past(backend, site.id))[0], {
				id: recordOf(ended),
				operation: "export_portal",
				outcome: "succeeded",
				parameters: [{ name: "location", value: exportFolder }],
				note: outcome.location,
				hasReport: false,
				hasCommand: true,
			});
		},
	},
	{
		name: "a check of the destination exports nothing and leaves no record",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const ended = await backend.exportPortal(site.id, run(), folder(exportFolder, true));
			has(ended, { kind: "done", record: null, report: { outcome: { status: "checked" } } });
			has((await past(backend, site.id))[0], { operation: "sign_in" });
		},
	},
	{
		name: "a faulty form of an export names the field",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			await fails(backend.exportPortal(site.id, run(), folder(" ")), wrong("location", "required"));
			const bucket = { kind: "bucket" as const, location: "backup", bucket: "", region: "" };
			const toBucket = backend.exportPortal(site.id, run(), { target: bucket, checkOnly: false });
			await fails(toBucket, wrong("bucket", "required"));
			await fails(backend.exportServer(serverOf(site), run(), serverFolder("")), wrong("location", "required"));
			has((await backend.listRuns()).ended, []);
		},
	},
	{
		name: "an export that the site cannot write is refused in its words, and recorded as failed",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({
				fault: "unwritableFolder",
				target: "export_server",
				times: 1,
				seconds: 1,
				after: false,
			});
			await fails(
				backend.exportServer(serverOf(site), run(), serverFolder(exportFolder)),
				{
					kind: "rejected",
					code: 500,
				},
				"failed",
			);
			const [entry] = await past(backend, site.id);
			has(entry, { operation: "export_server", outcome: "failed" });
			ok(entry?.note !== "", "the history has no words of the site");
			has(await backend.listFaults(), []);
		},
	},
	{
		name: "the name of a server export that would be saved here begins with its server, or its site",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { name, lastSize } = await backend.suggestExport(serverOf(site));
			const server = site.servers.length < 2 ? undefined : site.servers.find(({ id }) => id === site.currentServer);
			ok(name.startsWith(server?.name ?? site.name) && name.endsWith(".agssite"), name);
			has(lastSize, null);
		},
	},
	{
		name: "a server export is written into a folder of the server",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const ended = await backend.exportServer(serverOf(site), run(), serverFolder(exportFolder));
			const { outcome, saving } = reportOf(ended);
			has(saving, null);
			ok(outcome.status === "written" && outcome.location.endsWith(".agssite"), JSON.stringify(outcome));
		},
	},
	{
		name: "an import reports the service that did not start, and its report is kept",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const form = { location, confirmation: "", safetyBackup: null, deactivateWebhooks: null };
			const ended = await backend.importServer(serverOf(site), run(), form);
			const report = reportOf(ended);
			ok(report.counts.failedServices > 0, "every service started");
			has(report.safetyBackup, null);
			has((await past(backend, site.id))[0], { operation: "import_server", outcome: "warnings", hasReport: true });
			has(await backend.importReport(recordOf(ended)), { counts: report.counts, status: report.status });
		},
	},
	{
		name: "a simulated fault stops one more service from starting",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const form = { location, confirmation: "", safetyBackup: null, deactivateWebhooks: null };
			const before = reportOf(await backend.importServer(serverOf(site), run(), form)).counts.failedServices;
			await backend.addFault({
				fault: "serviceWillNotStart",
				target: "import_server",
				times: 1,
				seconds: 1,
				after: false,
			});
			has(reportOf(await backend.importServer(serverOf(site), run(), form)).counts.failedServices, before + 1);
		},
	},
	{
		name: "an import with a safety backup can be undone",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const form = { location, confirmation: "", safetyBackup: { alsoHere: false }, deactivateWebhooks: null };
			const ended = await backend.importServer(serverOf(site), run(), form);
			has(reportOf(ended).safetyBackup, { saved: null });
			has((await past(backend, site.id))[0], { operation: "import_server", hasSafetyBackup: true });
			has(await backend.previewUndo(recordOf(ended)), { changes: [], count: 0 });
			const undone = await backend.undoImport(site.id, run(), recordOf(ended), "", {
				secure: false,
				throughWebAdaptor: false,
			});
			ok(reportOf(undone).counts.failedServices > 0, "every service started");
			has(reportOf(undone).safetyBackup, null);
			has((await past(backend, site.id))[0], { id: recordOf(undone), operation: "import_server", outcome: "warnings" });
		},
	},
	{
		name: "an export that the server keeps is not verified",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const { verification } = reportOf(await backend.exportServer(serverOf(site), run(), serverFolder(exportFolder)));
			has(verification, null);
			const { components } = await backend.siteOverview(site.id);
			const server = components.find((one) => one.server === site.currentServer);
			has(server?.exports, { verified: null, partlyVerified: null });
			const summary = (await backend.allOverviews()).find((one) => one.site === site.id);
			const part = summary?.recoverable.parts.find((one) => one.server === site.currentServer);
			has(part, { state: { kind: "notVerified" } });
			ok(part?.at != null, "the export is not known");
		},
	},
	{
		name: "what is checked has its time on the overview, and what was not has none",
		play: async (backend) => {
			const { site } = await practice(backend);
			const server = async () => {
				const { components } = await backend.siteOverview(site.id);
				return components.find((one) => one.server === site.currentServer);
			};
			has((await server())?.services, { value: null, checkedAt: null, failedAt: null });
			has(await backend.checkSite(site.id), []);
			const checked = await server();
			ok((checked?.services.value?.shouldRun ?? 0) > 0, "no service was checked");
			ok(checked?.services.checkedAt != null, "the check has no time");
			has(checked?.session.value, { username: (await backend.session(serverOf(site)))?.username });
		},
	},
	{
		name: "a quiet import deactivates the webhooks, logs them, and reactivates them",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const before = await activeWebhooks(backend, site.id, hydrants);
			ok(before.length > 0, "no webhook is active");
			const form = { location, confirmation: "", safetyBackup: null, deactivateWebhooks: "Import" };
			const { reactivated } = reportOf(await backend.importServer(serverOf(site), run(), form));
			has(reactivated, { gone: [], failed: [] });
			has(await activeWebhooks(backend, site.id, hydrants), before);
			const logged = await backend.listDeactivations(site.id);
			has(logged.length, reactivated?.services);
			ok(
				logged.every(({ why, resolvedAt }) => why === "Import" && resolvedAt !== null),
				"an entry of the log is open",
			);
		},
	},
	{
		name: "an undo lists what it undoes with the import, and can be undone with its own safety backup",
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			const form = { location, confirmation: "", safetyBackup: { alsoHere: false }, deactivateWebhooks: null };
			const record = recordOf(await backend.importServer(serverOf(site), run(), form));
			await backend.deactivateWebhooks(serverOf(site), run(), { services: [hydrants], why: "", confirmation: "" });
			const since = await backend.previewUndo(record);
			has(since, { changes: [{ operation: "deactivate_webhooks", outcome: "succeeded" }], count: 1 });
			const undone = await backend.undoImport(site.id, run(), record, "", { secure: true, throughWebAdaptor: false });
			has(reportOf(undone).safetyBackup, { saved: null });
			has((await past(backend, site.id))[0], { id: recordOf(undone), hasSafetyBackup: true });
			await backend.undoImport(site.id, run(), recordOf(undone), "", { secure: false, throughWebAdaptor: false });
		},
	},
	{
		name: "a stored export is deleted from the server, once the name of the site is confirmed",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			const location = await exported(backend, site.id, exportFolder);
			// Stores the safety backup on the server.
			await backend.importServer(serverOf(site), run(), {
				location,
				confirmation: "",
				safetyBackup: { alsoHere: false },
				deactivateWebhooks: null,
			});
			const [stored] = await backend.listUploads(serverOf(site));
			ok(stored !== undefined, "nothing is stored");
			await backend.deleteUpload(serverOf(site), stored.id, "", "");
			const left = await backend.listUploads(serverOf(site));
			ok(!left.some(({ id }) => id === stored.id), "the file is still there");
			has((await past(backend, site.id))[0], { operation: "delete_upload", outcome: "succeeded", note: stored.name });
			await refuses(backend.deleteUpload(serverOf(site), stored.id, "", ""), { kind: "rejected" });
			const { id } = await city(backend);
			await refuses(
				backend.deleteUpload(await serverAt(backend, id), stored.id, "City", ""),
				wrong("confirmation", "notTheName"),
			);
		},
	},
	{
		name: "one webhook of a service is deactivated, and reactivated from its entry in the log",
		play: async (backend) => {
			const { site } = await practice(backend);
			const before = await activeWebhooks(backend, site.id, hydrants);
			const service = (await backend.listServices(serverOf(site))).find(({ path }) => path === hydrants);
			const webhook = service?.webhooks?.find(({ active }) => active);
			ok(webhook !== undefined, "no webhook is active");
			const form = { service: hydrants, webhook: webhook.id, why: "Receiver moves", confirmation: "" };
			has(reportOf(await backend.deactivateWebhook(serverOf(site), run(), form)), {
				service: hydrants,
				webhook: webhook.name,
			});
			has(
				await activeWebhooks(backend, site.id, hydrants),
				before.filter((name) => name !== webhook.name),
			);
			has((await past(backend, site.id))[0], { operation: "deactivate_webhook", outcome: "succeeded" });
			const notActive = { kind: "preconditionFailed", why: { kind: "webhookNotActive" } };
			await fails(backend.deactivateWebhook(serverOf(site), run(), form), notActive);
			const [entry] = await backend.listDeactivations(site.id);
			ok(entry !== undefined, "the log is empty");
			has(entry, { service: hydrants, active: [webhook.name], why: "Receiver moves", known: true });
			await backend.reactivateWebhooks(serverOf(site), run(), entry.id);
			has(await activeWebhooks(backend, site.id, hydrants), before);
		},
	},
	{
		name: "webhooks of an entry are reactivated one by one, and the last one closes it",
		play: async (backend) => {
			const { site } = await practice(backend);
			const before = await activeWebhooks(backend, site.id, hydrants);
			const form = { services: [hydrants], why: "", confirmation: "" };
			await backend.deactivateWebhooks(serverOf(site), run(), form);
			const open = async () =>
				(await backend.listDeactivations(site.id)).filter(({ resolvedAt }) => resolvedAt === null);
			const [entry] = await open();
			ok(entry !== undefined, "the log is empty");
			has(entry, { server: serverOf(site).server, active: before });
			const ids = entry.activeIds ?? [];
			ok(ids.length === before.length && ids.length > 1, "it has one webhook");
			for (const [at, webhook] of ids.entries()) {
				has((await open()).length, 1);
				const report = reportOf(await backend.reactivateWebhook(serverOf(site), run(), entry.id, webhook));
				has(report.webhooks, [{ name: before[at], end: { kind: "activated" } }]);
			}
			has(await open(), []);
			has(await activeWebhooks(backend, site.id, hydrants), before);
		},
	},
	{
		name: "all entries of the log are reactivated in one run, each with its record",
		play: async (backend) => {
			const { site } = await practice(backend);
			const services = (await backend.listServices(serverOf(site)))
				.filter(({ webhooks }) => webhooks?.some(({ active }) => active))
				.map(({ path }) => path);
			await backend.deactivateWebhooks(serverOf(site), run(), { services, why: "", confirmation: "" });
			const compared = await backend.compareDeactivations(serverOf(site));
			has(
				compared.flatMap(({ activeAgain }) => activeAgain),
				[],
			);
			const entries = (await backend.listDeactivations(site.id)).filter(({ resolvedAt }) => resolvedAt === null);
			const ids = entries.map(({ id }) => id);
			const ended = await backend.reactivateAllWebhooks(serverOf(site), run(), ids);
			has(ended, { kind: "done", record: null });
			has(
				reportOf(ended).parts,
				entries.map(({ service }) => ({ kind: "done", report: { service, recorded: true } })),
			);
			has(
				(await past(backend, site.id)).slice(0, ids.length).map(({ operation }) => operation),
				ids.map(() => "reactivate_webhooks"),
			);
			ok(
				(await backend.listDeactivations(site.id)).every(({ resolvedAt }) => resolvedAt !== null),
				"one is open",
			);
			await fails(backend.reactivateAllWebhooks(serverOf(site), run(), []), wrong("changes", "required"));
			await fails(backend.reactivateAllWebhooks(serverOf(site), run(), ids), { kind: "preconditionFailed" });
		},
	},
	{
		name: "an import asks for the name of the site, and for a file",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const form = {
				location: "/srv/backup/city.agssite",
				confirmation: "City",
				safetyBackup: null,
				deactivateWebhooks: null,
			};
			await fails(backend.importServer(await serverAt(backend, id), run(), form), wrong("confirmation", "notTheName"));
			const nothing = { ...form, location: " ", confirmation: "City GIS" };
			await fails(backend.importServer(await serverAt(backend, id), run(), nothing), wrong("location", "required"));
			has(await backend.previewImport(await serverAt(backend, id)), { site: "City GIS" });
		},
	},
	{
		name: "the change summary counts the services that an import replaces",
		play: async (backend) => {
			const { site } = await practice(backend);
			const summary = await backend.previewImport(serverOf(site));
			has(summary, { site: "Practice" });
			has(site, { confirmByTyping: { portalImport: "", deactivation: "" } });
			ok((summary.services ?? 0) > 0, "it replaces no service");
			has(summary.cautions[0], "replacesEverything");
		},
	},
	{
		name: "a change whose token the site rejects is not sent again, and can be started again",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const form = { services: [hydrants], why: "", confirmation: "" };
			await backend.addFault({
				fault: "expiredToken",
				target: "deactivate_webhooks",
				times: 1,
				seconds: 1,
				after: false,
			});
			await fails(backend.deactivateWebhooks(serverOf(site), run(), form), { kind: "tokenRenewed" }, "failed");
			has((await past(backend, site.id))[0], { operation: "deactivate_webhooks", outcome: "failed" });
			has(await backend.deactivateWebhooks(serverOf(site), run(), form), { kind: "done" });
			const open = (await backend.listDeactivations(site.id)).filter(({ resolvedAt }) => resolvedAt === null);
			for (const { id } of open) await backend.reactivateWebhooks(serverOf(site), run(), id);
		},
	},
	{
		name: "deactivated webhooks are in the log, and exactly the active ones are reactivated",
		play: async (backend) => {
			const { site } = await practice(backend);
			const before = await activeWebhooks(backend, site.id, hydrants);
			ok(before.length > 0, "no webhook is active");
			const form = { services: [hydrants], why: " Maintenance ", confirmation: "" };
			const report = reportOf(await backend.deactivateWebhooks(serverOf(site), run(), form));
			has(report.services, [{ service: hydrants, problem: null, notSent: false }]);
			has(await activeWebhooks(backend, site.id, hydrants), []);
			const log = (await backend.listDeactivations(site.id)).filter(({ resolvedAt }) => resolvedAt === null);
			has(log, [{ service: hydrants, by: site.username, why: "Maintenance", known: true, active: before }]);
			const [entry] = log;
			ok(entry !== undefined, "the log is empty");
			const back = reportOf(await backend.reactivateWebhooks(serverOf(site), run(), entry.id));
			has(
				back.webhooks,
				before.map((name) => ({ name, end: { kind: "activated" } })),
			);
			has(await activeWebhooks(backend, site.id, hydrants), before);
			has((await past(backend, site.id))[0], { operation: "reactivate_webhooks", outcome: "succeeded" });
			const again = backend.reactivateWebhooks(serverOf(site), run(), entry.id);
			await fails(again, { kind: "preconditionFailed", why: { kind: "restoredAlready" } });
		},
	},
	{
		name: "an entry of the deactivation log gets a reminder, and is marked as resolved once",
		play: async (backend) => {
			const { site } = await practice(backend);
			await backend.deactivateWebhooks(serverOf(site), run(), { services: [hydrants], why: "", confirmation: "" });
			const [entry] = await backend.listDeactivations(site.id);
			ok(entry !== undefined, "the log is empty");
			const remindAt = Date.now() - 60_000;
			await backend.remindMe(entry.id, remindAt);
			const [reminded] = await backend.listDeactivations(site.id);
			has(reminded, { id: entry.id, remindAt, resolvedAt: null });
			await backend.resolveDeactivation(site.id, entry.id);
			const [resolved] = await backend.listDeactivations(site.id);
			has(resolved, { id: entry.id, restoredBy: site.username, byHand: true });
			await refuses(backend.resolveDeactivation(site.id, entry.id), { kind: "preconditionFailed" });
			has(await activeWebhooks(backend, site.id, hydrants), []);
		},
	},
	{
		name: "of several services the one that the site does not have is refused",
		play: async (backend) => {
			const { site } = await practice(backend);
			const services = [hydrants, "Gone.GPServer"];
			const report = reportOf(
				await backend.deactivateWebhooks(serverOf(site), run(), { services, why: "", confirmation: "" }),
			);
			has(report.services, [{ problem: null }, { service: "Gone.GPServer", problem: { kind: "rejected" } }]);
			has((await past(backend, site.id))[0], { operation: "deactivate_webhooks", outcome: "warnings" });
		},
	},
	{
		name: "webhooks are deactivated of a chosen service, on production with the name of the site",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await city(backend);
			const form = { services: [hydrants], why: "", confirmation: "" };
			await fails(
				backend.deactivateWebhooks(await serverAt(backend, id), run(), form),
				wrong("confirmation", "notTheName"),
			);
			const none = { ...form, services: [], confirmation: "City GIS" };
			await fails(backend.deactivateWebhooks(await serverAt(backend, id), run(), none), wrong("services", "required"));
		},
	},
	{
		name: "an updated contact is listed",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { collaborationId, participantId } = await guest(backend, site.id);
			const contact = { contactFirstname: "Ada", contactLastname: "Berg", contactEmailAddress: "ada@example.org" };
			const ended = await backend.updateParticipant(site.id, run(), { collaborationId, participantId, ...contact });
			has(reportOf(ended), { collaborationId });
			const listed = await backend.listParticipants(site.id);
			has(
				listed.find((one) => one.participantId === participantId && one.collaborationId === collaborationId),
				contact,
			);
			has((await past(backend, site.id))[0], { operation: "update_participant", outcome: "succeeded" });
		},
	},
	{
		name: "a contact that is no email address names the field",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const { collaborationId, participantId } = await guest(backend, site.id);
			const form = { collaborationId, participantId, contactFirstname: "Ada", contactLastname: "Berg" };
			const wrongAddress = { ...form, contactEmailAddress: "ada at example" };
			const field = wrong("contactEmailAddress", "notAnEmail");
			await fails(backend.updateParticipant(site.id, run(), wrongAddress), field);
			const nobody = { ...form, participantId: " ", contactEmailAddress: "ada@example.org" };
			await fails(backend.updateParticipant(site.id, run(), nobody), wrong("participantId", "required"));
		},
	},
	{
		name: "several contacts are updated one after another, each with its record, and the result is kept",
		play: async (backend) => {
			const { site } = await practice(backend);
			const { collaborationId, participantId } = await guest(backend, site.id);
			const contact = { contactFirstname: "Ada", contactLastname: "Berg", contactEmailAddress: "ada@example.org" };
			const form = { collaborationId, participantId, ...contact };
			const forms = [form, { ...form, participantId: "nobody" }];
			has(await backend.lastContactsBatch(site.id), null);
			const ended = await backend.updateParticipants(site.id, run(), forms);
			has(ended, { kind: "done", record: null });
			const report = reportOf(ended);
			has(report, { stopped: false, parts: [{ kind: "done" }, { kind: "rejected", problem: { kind: "rejected" } }] });
			has(await backend.lastContactsBatch(site.id), { forms, report });
			has((await past(backend, site.id)).slice(0, 2), [
				{ operation: "update_participant", outcome: "failed" },
				{ operation: "update_participant", outcome: "succeeded" },
			]);
		},
	},
	{
		name: "an invitation that the portal does not have is refused before a file is saved",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const [invitation] = await backend.listInvitations(site.id);
			ok(invitation !== undefined, "there is no invitation");
			const { collaborationId } = invitation;
			const form = { collaborationId, invitationId: "11111111111111111111111111111111" };
			await fails(backend.refreshInvitation(site.id, run(), form), { kind: "rejected" }, "failed");
			const none = { ...form, invitationId: "" };
			await fails(backend.refreshInvitation(site.id, run(), none), wrong("invitationId", "required"));
			has((await past(backend, site.id))[0], { operation: "refresh_invitation", outcome: "failed" });
		},
	},
	{
		name: "a read-only site refuses every change until it is unlocked, and no export",
		play: async (backend) => {
			const { id } = await city(backend, { readOnly: true });
			const readOnly = { kind: "readOnly", site: id };
			const location = "/srv/backup/city.agssite";
			const name = "City GIS";
			const contact = { contactFirstname: "Ada", contactLastname: "Berg", contactEmailAddress: "ada@example.org" };
			const { collaborationId, participantId } = await guest(backend, id);
			const participant = { collaborationId, participantId, ...contact };
			const invitation = { collaborationId, invitationId: "11111111111111111111111111111111" };
			const deactivation = { services: [hydrants], why: "", confirmation: name };
			const imported = { location, confirmation: name, safetyBackup: null, deactivateWebhooks: null };
			await fails(backend.importServer(await serverAt(backend, id), run(), imported), readOnly);
			await fails(backend.deactivateWebhooks(await serverAt(backend, id), run(), deactivation), readOnly);
			await fails(backend.updateParticipant(id, run(), participant), readOnly);
			await fails(backend.updateParticipants(id, run(), [participant]), readOnly);
			await fails(backend.refreshInvitation(id, run(), invitation), readOnly);
			await fails(backend.refreshInvitations(id, run(), [invitation]), readOnly);
			await refuses(
				backend.uploadForImport(await serverAt(backend, id), run(), { kind: "goOn", item: "i1" }),
				readOnly,
			);
			await refuses(backend.discardUpload(await serverAt(backend, id), "i1"), readOnly);
			await refuses(backend.deleteUpload(await serverAt(backend, id), "i1", name, ""), readOnly);
			const listed = (await backend.listServices(await serverAt(backend, id))).find(({ path }) => path === hydrants);
			const webhook = listed?.webhooks?.find(({ active }) => active)?.id ?? "";
			const one = { service: hydrants, webhook, why: "", confirmation: name };
			await fails(backend.deactivateWebhook(await serverAt(backend, id), run(), one), readOnly);
			has((await backend.listRuns()).running.length, 0);
			const exporting = await backend.exportServer(await serverAt(backend, id), run(), serverFolder("/srv/backup"));
			ok(!JSON.stringify(exporting).includes("readOnly"), "an export is refused");
			await backend.unlockSite(id, "Planned change");
			const ended = await backend.deactivateWebhooks(await serverAt(backend, id), run(), deactivation);
			has(reportOf(ended).services, [{ problem: null }]);
		},
	},
	{
		name: "an upload takes a file that was dropped onto the window, or goes on with one that was begun",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const going = backend.uploadForImport(serverOf(site), run(), { kind: "goOn", item: "i1" });
			await refuses(going, { kind: "unexpected" });
			await refuses(backend.discardUpload(serverOf(site), "i1"), { kind: "unexpected" });
			const dropped = { kind: "dropped" as const, path: "/srv/backup/city.agssite", partMebibytes: 64 };
			await refuses(backend.uploadForImport(serverOf(site), run(), dropped), { kind: "unexpected" });
			has(await backend.listUnfinishedUploads(serverOf(site)), []);
		},
	},
	{
		name: "an operation that is stopped after its request was sent ends as unknown",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({ ...delay, target: "export_server" });
			const exporting = backend.exportServer(serverOf(site), run(), serverFolder(exportFolder));
			await stoppedAt(backend, "waiting");
			const ended = await exporting;
			has(ended, { kind: "unknown", stopped: true, problem: null, canUndo: false });
			has((await past(backend, site.id))[0], { id: recordOf(ended), operation: "export_server", outcome: "unknown" });
		},
	},
	{
		name: "an operation that is stopped before its request was sent ends as not sent",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({ ...delay, target: "export_portal" });
			const exporting = backend.exportPortal(site.id, run(), folder(exportFolder));
			await stoppedAt(backend, "checking");
			const ended = await exporting;
			has(ended, { kind: "notSent", backup: null });
			has((await past(backend, site.id))[0], { id: recordOf(ended), operation: "export_portal", outcome: "notSent" });
		},
	},
	{
		name: "an operation whose response is lost ends as unknown, and the reason is kept",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.addFault({ fault: "reset", target: "export_server", times: 1, seconds: 1, after: true });
			const ended = await backend.exportServer(serverOf(site), run(), serverFolder(exportFolder));
			has(ended, { kind: "unknown", stopped: false, problem: { kind: "unreachable" } });
			has((await past(backend, site.id))[0], { id: recordOf(ended), outcome: "unknown" });
		},
	},
	{
		name: "a search whose response is a web page is a problem, and no outcome is in doubt",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			await backend.addFault({ fault: "html", target: "find_items", times: 1, seconds: 1, after: false });
			const filters = { parentPath: "/fileShares", ancestorPath: "", types: "", id: "", isManaged: null };
			const query = { column: "path", descending: false, filter: "", type: null } as const;
			await fails(
				backend.findItems(serverOf(site), run().id, filters, { query, most: 1, apart: false }),
				{
					kind: "unreadable",
				},
				"failed",
			);
		},
	},
	{
		name: "a preview shows the requests of the specification, with secrets masked",
		isAppOnly: true,
		play: async (backend) => {
			const { site } = await practice(backend);
			const form = { place: { kind: "serverFolder" as const, location: "/srv/backup" } };
			has(await backend.previewRequests(serverOf(site), { operation: "export_server", form }), [
				{ method: "POST", url: `${site.server}/admin/exportSite` },
			]);
			const blob = {
				kind: "blob" as const,
				...{ location: "backup", container: "city", accountName: "gis" },
				...{ accountKey: "open sesame", accountEndpoint: "" },
			};
			const target = { target: blob, checkOnly: false };
			const [request] = await backend.previewRequests(serverOf(site), { operation: "export_portal", form: target });
			has(request, { method: "POST", url: `${site.portal}/portaladmin/exportSite` });
			ok(!JSON.stringify(request).includes("open sesame"), "the preview shows the key");
		},
	},
];
