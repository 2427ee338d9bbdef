import type {
	ChangeSummary,
	DeactivateReport,
	DeactivateWebhooksForm,
	ExportOutcome,
	ExportPortalForm,
	ExportServerForm,
	FieldError,
	FindItemsForm,
	FirstRows,
	FoundItems,
	ImportReport,
	ImportServerForm,
	Outcome,
	Parameter,
	Problem,
	ReactivatedWebhook,
	ReactivationEnd,
	ReactivationReport,
	RefreshInvitationForm,
	RefreshReport,
	SafetyBackup,
	SaveResult,
	ServerExportReport,
	SiteView,
	UpdateParticipantForm,
	UpdateReport,
} from "../bindings";
import { importReport } from "./import-report";
import { arriving, held, hold, noteFilters, rowsOf } from "./items";
import type { Order } from "./runs";
import { practiceSiteId, type World } from "./world";

/** What a run does to the world; who runs it and where is added by the caller. */
export type Deed<T> = Pick<Order<T>, "operation" | "act" | "parameters" | "unrecorded" | "steps" | "work" | "judge"> & {
	/** The dialog that comes first was closed, so nothing is sent. */
	dismissed?: boolean;
};

export interface Dialogs {
	/** What the native save dialog answers: a folder, or nothing. */
	saveTo: string | null;
}

const wrong = (field: string, fault: FieldError): Problem => ({ kind: "form", field, fault });
const declined = (kind: "restoredAlready" | "activeUnknown"): Problem => ({
	kind: "preconditionFailed",
	why: { kind },
});
const notFound = (what: string): Problem => ({
	kind: "refused",
	code: 404,
	message: `The ${what} was not found.`,
	details: [],
});
const fine = (note: string) => ({ outcome: "succeeded" as Outcome, note });

function parameters(values: Record<string, unknown>): Parameter[] {
	return Object.entries(values)
		.filter(([, value]) => value !== "" && value !== null)
		.map(([name, value]) => ({ name, value: String(value) }));
}

/** "Nov-20-2026_21-40-11", as sites name their exports. */
function stamp(): string {
	const now = new Date();
	const two = (n: number) => String(n).padStart(2, "0");
	const month = now.toLocaleString("en", { month: "short" });
	const clock = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("-");
	return `${month}-${two(now.getDate())}-${now.getFullYear()}_${clock}`;
}

export function savedFile(dialogs: Dialogs, name: string, size: number): SaveResult {
	if (dialogs.saveTo === null) return { kind: "dismissed" };
	return {
		kind: "saved",
		file: {
			path: `${dialogs.saveTo}/${name}`,
			size,
			sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		},
	};
}

export function exportPortal(form: ExportPortalForm): Deed<ExportOutcome> {
	const { target, checkOnly } = form;
	if (target.location.trim() === "") throw wrong("location", "required");
	if (target.kind === "bucket" && target.bucket.trim() === "") throw wrong("bucket", "required");
	if (target.kind === "blob" && target.container.trim() === "") throw wrong("container", "required");
	return {
		operation: "export_portal",
		parameters: parameters({
			location: target.location,
			...(target.kind === "bucket" ? { backupObjectStore: target.bucket, backupObjectStoreRegion: target.region } : {}),
			...(target.kind === "blob"
				? {
						backupObjectStore: target.container,
						accountName: target.accountName,
						accountEndpoint: target.accountEndpoint,
					}
				: {}),
		}),
		...(checkOnly ? { unrecorded: true } : {}),
		steps: checkOnly ? [{ kind: "checking" }] : [{ kind: "checking" }, { kind: "waiting" }],
		work: () => {
			if (target.location.includes("readonly")) throw unwritable(target.location);
			if (checkOnly) return { status: "checked" };
			const location = `${target.location}/${stamp()}.portalsite`;
			if (!target.location.includes("warn")) return { status: "written", location };
			return {
				status: "writtenWithWarnings",
				location,
				messages: ["Item 3f1c9 “Bridges 2019” is in the database and not in the content directory."],
			};
		},
		judge: (report) =>
			report.status === "writtenWithWarnings"
				? { outcome: "warnings", note: report.location }
				: fine("location" in report ? report.location : ""),
	};
}

function unwritable(location: string): Problem {
	return {
		kind: "refused",
		code: 500,
		message: `Unable to write to the location ${location}. The location must be accessible and writable.`,
		details: [],
	};
}

export function exportServer(form: ExportServerForm, dialogs: Dialogs): Deed<ServerExportReport> {
	const { place } = form;
	if (place.kind === "serverFolder" && place.location.trim() === "") throw wrong("location", "required");
	const size = 214_600_000;
	return {
		operation: "export_server",
		dismissed: place.kind === "thisComputer" && dialogs.saveTo === null,
		parameters: parameters(place.kind === "serverFolder" ? { location: place.location } : { location: "" }),
		steps:
			place.kind === "serverFolder"
				? [{ kind: "waiting" }]
				: [
						{ kind: "asking" },
						{ kind: "waiting" },
						{ kind: "downloading", done: size / 4, total: size },
						{ kind: "downloading", done: size / 2, total: size },
						{ kind: "saving" },
					],
		work: () => {
			const name = `${stamp()}.agssite`;
			if (place.kind === "serverFolder") {
				if (place.location.includes("readonly")) throw unwritable(place.location);
				return { outcome: { status: "written", location: `${place.location}/${name}` }, saving: null };
			}
			const location = `https://gis.example.org/server/admin/uploads/i90b1/${name}`;
			return { outcome: { status: "written", location }, saving: savedFile(dialogs, name, size) };
		},
		judge: ({ outcome, saving }) => {
			const stored = "location" in outcome ? outcome.location : "";
			return fine(saving?.kind === "saved" ? saving.file.path : stored);
		},
	};
}

export function importServer(
	world: World,
	site: SiteView,
	form: ImportServerForm,
	dialogs: Dialogs,
): Deed<ImportReport> {
	if (form.location.trim() === "") throw wrong("location", "required");
	if (site.environment !== "practice" && form.confirmation.trim() !== site.name) {
		throw wrong("confirmation", "notTheSitesName");
	}
	return {
		operation: "import_server",
		dismissed: form.safetyBackup?.alsoHere === true && dialogs.saveTo === null,
		parameters: parameters({ location: form.location, safetyBackup: form.safetyBackup ? "i90b1" : "" }),
		steps: form.safetyBackup
			? [{ kind: "securing" }, { kind: "verifying" }, { kind: "waiting" }]
			: [{ kind: "waiting" }],
		work: (record, fault) => {
			const report = {
				...importReport(fault),
				safetyBackup: form.safetyBackup ? wayBack(form.safetyBackup.alsoHere) : null,
			};
			world.reports.set(record, report);
			const entry = world.history.find(({ id }) => id === record);
			if (entry) entry.hasReport = true;
			return report;
		},
		judge: judgeReport,
	};
}

function judgeReport({ counts }: ImportReport): { outcome: Outcome; note: string } {
	const isWhole = counts.errors + counts.failedServices + counts.warnings === 0;
	return { outcome: isWhole ? "succeeded" : "warnings", note: `${counts.failedServices} services did not start` };
}

export function previewImport(world: World, site: SiteView): ChangeSummary {
	return {
		site: site.name,
		confirmByTyping: site.environment === "practice" ? "" : site.name,
		services: world.services.length,
		cautions: [
			"replacesEverything",
			"directoriesMustExist",
			"primaryAdministratorStays",
			"webAdaptorsAgain",
			"mayTakeLong",
			"excludedFromExport",
		],
		leftOut: ["cacheTiles", "serviceData", "logs", "primaryAdministrator", "statistics", "webAdaptors"],
	};
}

function wayBack(alsoHere: boolean): SafetyBackup {
	const path = "/home/sam/Documents/before.agssite";
	return {
		upload: "i90b1",
		location: "https://gis.example.org/server/admin/uploads/i90b1",
		size: 214_600_000,
		entries: 431,
		unverifiedEntries: alsoHere ? 0 : null,
		warnings: [],
		saved: alsoHere ? { path, size: 214_600_000, sha256: "9f86d081884c7d65" } : null,
		record: null,
		takenAt: Date.now(),
	};
}

export function undoImport(world: World, site: SiteView, record: string, confirmation: string): Deed<ImportReport> {
	if (site.environment !== "practice" && confirmation.trim() !== site.name)
		throw wrong("confirmation", "notTheSitesName");
	return {
		operation: "import_server",
		parameters: parameters({ location: "i90b1", undoes: record }),
		work: (own) => {
			const report = importReport();
			world.reports.set(own, report);
			const entry = world.history.find(({ id }) => id === own);
			if (entry) entry.hasReport = true;
			return report;
		},
		judge: judgeReport,
	};
}

export function reactivateWebhooks(world: World, site: SiteView, id: string): Deed<ReactivationReport> {
	const entry = world.silences.find((one) => one.id === id);
	const active = entry?.active;
	if (entry?.restoredAt) throw declined("restoredAlready");
	if (!entry || !active) throw declined("activeUnknown");
	return {
		operation: "deactivate_webhooks",
		act: "reactivate_webhooks",
		parameters: [{ name: "service", value: entry.service }, ...active.map((value) => ({ name: "webhook", value }))],
		work: () => {
			const service = world.services.find(({ path }) => path === entry.service);
			const webhooks = active.map((name): ReactivatedWebhook => {
				const webhook = service?.webhooks?.find((one) => one.name === name);
				if (!webhook) return { name, end: { kind: "gone" } };
				const end: ReactivationEnd = { kind: webhook.active ? "wasActive" : "activated" };
				webhook.active = true;
				return { name, end };
			});
			entry.restoredAt = Date.now();
			entry.restoredBy = site.username;
			return { service: entry.service, webhooks, recorded: true };
		},
		judge: () => fine(entry.service),
	};
}

export function deactivateWebhooks(world: World, site: SiteView, form: DeactivateWebhooksForm): Deed<DeactivateReport> {
	if (form.services.length === 0) throw wrong("services", "required");
	if (site.environment === "production" && form.confirmation.trim() !== site.name) {
		throw wrong("confirmation", "notTheSitesName");
	}
	const total = form.services.length;
	return {
		operation: "deactivate_webhooks",
		parameters: [
			...form.services.map((value) => ({ name: "service", value })),
			...(form.why.trim() ? [{ name: "why", value: form.why.trim() }] : []),
		],
		steps: form.services.map((_, done) => ({ kind: "services", done, total })),
		work: (record) => ({
			services: form.services.map((path) => {
				const service = world.services.find((one) => one.path === path);
				if (!service) {
					return { service: path, problem: notFound(`service ${path}`), notSent: false };
				}
				world.silences.unshift({
					id: `${record} ${path}`,
					site: site.id,
					service: path,
					deactivatedAt: Date.now(),
					by: site.username ?? "",
					why: form.why.trim(),
					known: true,
					active: service.webhooks?.filter(({ active }) => active).map(({ name }) => name) ?? null,
					remindAt: null,
					restoredAt: null,
					restoredBy: null,
					byHand: false,
				});
				service.webhooks = service.webhooks?.map((webhook) => ({ ...webhook, active: false })) ?? null;
				return { service: path, problem: null, notSent: false };
			}),
		}),
		judge: ({ services }) => {
			const failed = services.filter(({ problem }) => problem).length;
			const outcome = failed === 0 ? "succeeded" : failed === total ? "failed" : "warnings";
			return { outcome, note: `${total - failed} of ${total} services` };
		},
	};
}

export function findItems(world: World, site: SiteView, form: FindItemsForm, first: FirstRows): Deed<FoundItems> {
	noteFilters(world, site.id, form);
	return {
		operation: "find_items",
		parameters: [],
		unrecorded: true,
		steps: arriving(world),
		work: () => {
			const search = hold(world, site.id, form);
			return { search, first: rowsOf(held(world, site.id, search.id), first.query, 0, first.most) };
		},
		judge: ({ search }) => fine(`${search.total} items`),
	};
}

export function updateParticipant(world: World, form: UpdateParticipantForm): Deed<UpdateReport> {
	if (form.participantId.trim() === "") throw wrong("participantId", "required");
	if (form.contactEmailAddress !== "" && !/^\S+@\S+\.\S+$/.test(form.contactEmailAddress)) {
		throw wrong("contactEmailAddress", "notAnEmail");
	}
	return {
		operation: "update_participant",
		parameters: parameters({ ...form }),
		work: () => {
			const { contactFirstname, contactLastname, contactEmailAddress } = form;
			const participant = world.participants.find(
				(one) => one.collaborationId === form.collaborationId && one.participantId === form.participantId,
			);
			if (!participant) throw notFound(`participant ${form.participantId}`);
			Object.assign(participant, { contactFirstname, contactLastname, contactEmailAddress });
			return { collaborationId: form.collaborationId, portalId: form.participantId };
		},
		judge: ({ portalId }) => fine(portalId),
	};
}

export function refreshInvitation(
	world: World,
	site: SiteView,
	form: RefreshInvitationForm,
	dialogs: Dialogs,
): Deed<RefreshReport> {
	if (form.invitationId.trim() === "") throw wrong("invitationId", "required");
	return {
		operation: "refresh_invitation",
		parameters: parameters({ ...form }),
		steps: [{ kind: "waiting" }, { kind: "asking" }, { kind: "saving" }],
		work: () => {
			const invitation = world.invitations.find((one) => one.invitationId === form.invitationId);
			if (!invitation) throw notFound(`invitation ${form.invitationId}`);
			invitation.expiration = Date.now() + 72 * 3_600_000;
			invitation.status = "pending";
			const fileName = `${form.invitationId}.invite`;
			const saving = savedFile(dialogs, fileName, 2_310);
			if (saving.kind === "saved" && site.id === practiceSiteId) world.lap.seen.push("refreshInvitation");
			return { fileName, expiration: invitation.expiration, kept: form.invitationId, saving };
		},
		judge: ({ saving }) => fine(saving.kind === "saved" ? saving.file.path : ""),
	};
}
