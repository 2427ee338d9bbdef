import type { Backend } from "./backend";
import type { Ended, Problem, Reminder, RunId, SiteId } from "./bindings";
import { examination } from "./memory/doctor";
import * as files from "./memory/files";
import { federated, find } from "./memory/finding";
import { unlocking } from "./memory/history";
import * as items from "./memory/items";
import * as deeds from "./memory/operations";
import { practising } from "./memory/practice";
import { addressesOf, formOfProfile, opened, profileOf, refuseUnconfirmed } from "./memory/profiles";
import { recording } from "./memory/records";
import { RunBook, sleep } from "./memory/runs";
import { seed } from "./memory/seed";
import { enterAs } from "./memory/sessions";
import * as several from "./memory/several";
import { readSheet } from "./memory/sheet";
import { chooseServer, isReason, mayRemove, refuseLocked, saveSite } from "./memory/sites";
import { updating } from "./memory/updates";
import { aroundTheWindow, type Happenings } from "./memory/window";
import { practiceSiteId, siteIn, type World } from "./memory/world";

export interface MemoryOptions {
	/** Calls that reject with this problem, for as long as they stand here. */
	fail?: Partial<Record<keyof Backend, Problem>>;
	/** Operations that run until they are stopped. */
	endless?: readonly (keyof Backend)[];
	/** How long an ordinary answer takes. */
	answerMillis?: number;
	/** How long an operation takes. */
	runMillis?: number;
	/** What the save dialog answers: a folder, or `null` when it is closed. */
	saveTo?: string | null;
	/** What the folder dialog answers. */
	chosenFolder?: string | null;
	/** What the dialog for a contact sheet answers. */
	sheet?: string | null;
	/** What the dialog for a file to upload answers. */
	fileToUpload?: string | null;
	/** Other contents than the usual. */
	world?: Partial<World>;
}

/** What changes a site; a copy elsewhere does not. */
const writes: ReadonlySet<keyof Backend> = new Set([
	"importServer",
	"undoImport",
	"deactivateWebhooks",
	"restoreWebhooks",
	"updateParticipant",
	"updateParticipants",
	"refreshInvitation",
	"refreshInvitations",
]);

/** A small faithful world for tests and for an ordinary browser. */
export function memoryBackend(options: MemoryOptions = {}): Backend & { happen: Happenings } {
	const world: World = { ...seed(), ...options.world };
	const book = new RunBook(world, options.runMillis ?? 0);
	const dialogs: deeds.Dialogs = { saveTo: options.saveTo === undefined ? "/home/sam/Documents" : options.saveTo };

	async function answer<T>(call: keyof Backend, work: () => T): Promise<T> {
		await sleep(options.answerMillis ?? 0);
		const problem = options.fail?.[call];
		if (problem) throw problem;
		// A copy, because the real program cannot share its memory with the window either.
		return structuredClone(work());
	}

	const siteOf = (id: SiteId) => siteIn(world, id);
	const enter = (id: SiteId, username: string, role: string) => enterAs(world, siteOf(id), username, role);

	function signedIn(id: SiteId): void {
		if (!world.sessions.has(id)) throw { kind: "signIn", site: id, server: null } satisfies Problem;
	}

	function read<T>(call: keyof Backend, site: SiteId, work: () => T): Promise<T> {
		return answer(call, () => {
			signedIn(site);
			return work();
		});
	}

	async function perform<T>(
		call: keyof Backend,
		site: SiteId,
		run: RunId,
		deed: () => deeds.Deed<T>,
	): Promise<Ended<T>> {
		await sleep(options.answerMillis ?? 0);
		if (writes.has(call)) refuseLocked(siteOf(site));
		signedIn(site);
		const order = deed();
		const problem = options.fail?.[call];
		const work = problem
			? () => {
					throw problem;
				}
			: order.work;
		return structuredClone(
			await book.carryOut({ ...order, work, site, run }, options.endless?.includes(call) ?? false),
		);
	}

	return {
		listSites: () => answer("listSites", () => world.sites),
		saveSite: (form) => answer("saveSite", () => saveSite(world, form)),
		removeSite: (id, reason) =>
			answer("removeSite", () => {
				mayRemove(siteOf(id), reason);
				world.sites = world.sites.filter((site) => site.id !== id);
				world.keptInvitations = world.keptInvitations.filter(({ site }) => site !== id);
				world.sessions.delete(id);
			}),

		trustCertificate: (id, pin) =>
			answer("trustCertificate", () => {
				const site = siteOf(id);
				const pins = [...site.connection.pins.filter(({ origin }) => origin !== pin.origin), pin];
				const trusting = { ...site, connection: { ...site.connection, pins } };
				world.sites = world.sites.map((other) => (other.id === id ? trusting : other));
				return trusting;
			}),
		confirmAddress: (id) => answer("confirmAddress", () => siteOf(id)),
		unlockSite: (id, reason) =>
			answer("unlockSite", () => {
				if (!isReason(reason)) {
					throw { kind: "form", field: "reason", fault: "tooShort" } satisfies Problem;
				}
				const site = siteOf(id);
				world.history.unshift(unlocking(site, reason.trim(), world.history.length));
				site.unlockedUntil = Date.now() + 15 * 60_000;
				return site;
			}),
		lockSite: (id) =>
			answer("lockSite", () => {
				const site = siteOf(id);
				site.unlockedUntil = null;
				return site;
			}),
		chooseServer: (id, server) => answer("chooseServer", () => chooseServer(world, siteOf(id), server)),
		findSite: (_site, pasted, connection) => answer("findSite", () => find(pasted, connection)),
		orderSites: (order) =>
			answer("orderSites", () => {
				const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
				world.sites = world.sites.toSorted((one, other) => place(one.id) - place(other.id));
				return world.sites;
			}),
		saveProfiles: (ids) =>
			answer("saveProfiles", () => {
				const profiles = ids.map((id) => {
					const profile = profileOf(siteOf(id));
					return { profile, addresses: addressesOf(profile), problem: null, samePlace: null };
				});
				world.profileFile = { kind: "read", path: "/home/sam/Documents/site-profiles.json", profiles };
				return deeds.savedFile(dialogs, "site-profiles.json", 2_140);
			}),
		openProfiles: () => answer("openProfiles", () => opened(world)),
		addProfile: (profile, name, confirmed) =>
			answer("addProfile", () => {
				refuseUnconfirmed(profile, confirmed);
				return saveSite(world, { ...formOfProfile(profile), name });
			}),
		findServers: (id) => read("findServers", id, () => federated(siteOf(id).servers)),

		signIn: (id, server, form) =>
			answer("signIn", () => {
				if (form.username.trim() === "") throw { kind: "form", field: "username", fault: "required" } satisfies Problem;
				if (form.password === "") throw { kind: "form", field: "password", fault: "required" } satisfies Problem;
				if (form.password === "wrong") {
					const details = ["Invalid username or password."];
					throw { kind: "refused", code: 400, message: "Unable to generate token.", details } satisfies Problem;
				}
				const role = /viewer|publisher/.exec(form.username)?.[0] ?? "administrator";
				// Signing in at a server leaves the session of the portal.
				const atPortal = server === null ? undefined : world.sessions.get(id);
				return atPortal ?? enter(id, form.username.trim(), role);
			}),
		signInInBrowser: (id) =>
			answer("signInInBrowser", () => {
				const session = enter(id, "gisadmin", "administrator");
				return { kind: "signedIn", session };
			}),
		stopBrowserSignIn: () => answer("stopBrowserSignIn", () => undefined),
		signInWithToken: (id, _server, pasted) =>
			answer("signInWithToken", () => {
				if (!/\S{10,}/.test(pasted)) throw { kind: "form", field: "token", fault: "notAToken" } satisfies Problem;
				return { ...enter(id, "gisadmin", "administrator"), expiresAt: null };
			}),
		openSignInPage: () => answer("openSignInPage", () => undefined),
		signInWithCode: (id, pasted) =>
			answer("signInWithCode", () => {
				if (!/\S{6,}/.test(pasted)) throw { kind: "form", field: "code", fault: "notAToken" } satisfies Problem;
				return enter(id, "gisadmin", "administrator");
			}),
		tokenOutlook: (id, operation) =>
			answer(
				"tokenOutlook",
				() =>
					world.tokenOutlooks.get(operation) ?? {
						endsAt: world.sessions.get(id)?.expiresAt ?? null,
						tookBefore: null,
						shortBy: null,
					},
			),
		session: (id) => answer("session", () => world.sessions.get(id) ?? null),
		signOut: (id) =>
			answer("signOut", () => {
				world.sessions.delete(id);
				world.itemSearches.delete(id);
			}),

		...practising(world, answer),

		listServices: (id) => read("listServices", id, () => world.services),
		listDataRoots: (id) => read("listDataRoots", id, () => world.dataRoots),
		listUploads: (id) => read("listUploads", id, () => world.uploads),
		listParticipants: (id) => read("listParticipants", id, () => world.participants),
		listInvitations: (id) => read("listInvitations", id, () => world.invitations),
		readContactSheet: (id, path) =>
			read("readContactSheet", id, () =>
				readSheet(world, path ?? (options.sheet === undefined ? "/home/sam/Documents/contacts.csv" : options.sheet)),
			),
		lastContactRun: (id) => answer("lastContactRun", () => world.contactRuns.get(id) ?? null),
		saveContactTemplate: (id) =>
			read("saveContactTemplate", id, () => deeds.savedFile(dialogs, `Contacts of ${siteOf(id).name}.csv`, 4_180)),
		saveTable: (name) => answer("saveTable", () => deeds.savedFile(dialogs, `${name}.csv`, 2_200)),
		chooseFolder: () =>
			answer("chooseFolder", () => (options.chosenFolder === undefined ? "/srv/backup" : options.chosenFolder)),
		chooseFile: () => answer("chooseFile", () => "/home/sam/certificates/city-root-ca.pem"),

		exportPortal: (site, run, form) => perform("exportPortal", site, run, () => deeds.exportPortal(form)),
		exportServer: async (site, run, form) => {
			// The dialog comes first; closed, nothing is sent.
			if (form.place.kind === "thisComputer" && dialogs.saveTo === null) return { kind: "dismissed" };
			return perform("exportServer", site, run, () => deeds.exportServer(form, dialogs));
		},
		briefImport: (id) =>
			answer("briefImport", () => {
				signedIn(id);
				const site = siteOf(id);
				return {
					site: site.name,
					confirmByTyping: site.kind === "practice" ? "" : site.name,
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
			}),
		importServer: async (id, run, form) => {
			// The dialog comes first; closed, nothing is sent.
			if (form.parachute?.alsoHere && dialogs.saveTo === null) return { kind: "dismissed" };
			return perform("importServer", id, run, () => deeds.importServer(world, siteOf(id), form));
		},
		undoImport: (id, run, record, confirmation) =>
			perform("undoImport", id, run, () => deeds.undoImport(world, siteOf(id), record, confirmation)),

		silenceLedger: (id) => answer("silenceLedger", () => world.silences.filter(({ site }) => site === id)),
		restoreWebhooks: (id, run, entry) =>
			perform("restoreWebhooks", id, run, () => deeds.restoreWebhooks(world, siteOf(id), entry)),
		remindMe: (entry, at) =>
			answer("remindMe", () => {
				for (const silence of world.silences) if (silence.id === entry) silence.remindAt = at;
			}),
		settleSilence: (id, entry) =>
			answer("settleSilence", () => {
				const silence = world.silences.find((one) => one.id === entry);
				if (!silence || silence.restoredAt !== null) {
					throw { kind: "declined", why: { kind: "restoredAlready" } } satisfies Problem;
				}
				Object.assign(silence, { restoredAt: Date.now(), restoredBy: siteOf(id).username, byHand: true });
			}),
		reminders: () =>
			answer("reminders", () =>
				world.silences.flatMap(({ id, site, service, remindAt, restoredAt }): Reminder[] =>
					remindAt !== null && restoredAt === null && remindAt <= Date.now()
						? [{ site, at: remindAt, about: { kind: "silence", entry: id, service } }]
						: [],
				),
			),
		deactivateWebhooks: (site, run, form) =>
			perform("deactivateWebhooks", site, run, () => deeds.deactivateWebhooks(world, siteOf(site), form)),
		findItems: (site, run, form, first) =>
			perform("findItems", site, run, () => deeds.findItems(world, siteOf(site), form, first)),
		lastItemSearch: (id) => answer("lastItemSearch", () => world.itemSearches.get(id)?.view ?? null),
		recentItemFilters: (id) => answer("recentItemFilters", () => world.itemFilters.get(id) ?? []),
		itemRows: (id, search, query, from, most) =>
			answer("itemRows", () => items.rowsOf(items.held(world, id, search), query, from, most)),
		itemDetails: (id, search, item) =>
			answer("itemDetails", () => {
				world.lap.seen.push("findItem");
				return items.itemOf(items.held(world, id, search), item);
			}),
		revealItem: (id, search, item) =>
			answer("revealItem", () => items.secretsOf(items.itemOf(items.held(world, id, search), item))),
		saveItems: (id, search, _query, format) =>
			answer("saveItems", () => {
				items.held(world, id, search);
				return deeds.savedFile(dialogs, `${siteOf(id).name} data items.${format}`, 52_100);
			}),
		updateParticipant: (site, run, form) =>
			perform("updateParticipant", site, run, () => deeds.updateParticipant(world, form)),
		updateParticipants: (site, run, forms) =>
			perform("updateParticipants", site, run, () => several.updateParticipants(world, forms)).then((ended) => {
				if (ended.kind === "done") world.contactRuns.set(site, { at: ended.at, forms, report: ended.report });
				return withoutRecord(ended);
			}),
		refreshInvitations: async (site, run, forms) => {
			const folder = options.chosenFolder === undefined ? "/home/sam/Invitations" : options.chosenFolder;
			// The dialog comes first; closed, nothing is sent.
			if (folder === null) return { kind: "dismissed" };
			const deed = () => several.refreshInvitations(world, forms, folder);
			const ended = withoutRecord(await perform("refreshInvitations", site, run, deed));
			if (site === practiceSiteId) world.lap.seen.push("refreshInvitation");
			return ended;
		},
		refreshInvitation: (site, run, form) =>
			perform("refreshInvitation", site, run, () => deeds.refreshInvitation(world, form, dialogs)).then((ended) => {
				const saved = ended.kind === "done" && ended.report.saving.kind === "saved";
				if (saved && site === practiceSiteId) world.lap.seen.push("refreshInvitation");
				return ended;
			}),

		saveStoredExport: (_site, _run, location) =>
			answer("saveStoredExport", () =>
				deeds.savedFile(dialogs, location.split("/").at(-1) ?? "export.agssite", 214_600_000),
			),
		saveInvitationAgain: (kept) =>
			answer("saveInvitationAgain", () => {
				const saving = files.saveKept(world, kept, deeds.savedFile(dialogs, `${kept}.invite`, 2_310));
				// Of which site it is is nothing to what the window does with it.
				if (saving.kind === "saved") world.lap.seen.push("refreshInvitation");
				return saving;
			}),
		listKeptInvitations: (site) => answer("listKeptInvitations", () => files.keptInvitations(world, site)),
		discardKeptInvitation: (kept) => answer("discardKeptInvitation", () => files.forgetKept(world, kept)),

		uploadForImport: async (site, run, source) => {
			const chosen = options.fileToUpload === undefined ? "/home/sam/Documents/city.agssite" : options.fileToUpload;
			const file = await answer("uploadForImport", () => {
				signedIn(site);
				return files.toUpload(world, source, chosen);
			});
			if (file === null) return { kind: "dismissed" };
			const endless = options.endless?.includes("uploadForImport") ?? false;
			const stopped = await book.pass({ site, run, ...files.uploading(siteOf(site)) }, endless);
			return structuredClone(files.uploaded(world, file, stopped));
		},
		listUnfinishedUploads: () => answer("listUnfinishedUploads", () => world.unfinishedUploads),
		discardUpload: (_site, item) => answer("discardUpload", () => files.forgetUpload(world, item)),

		listRuns: () => answer("listRuns", () => book.list()),
		listEndedRuns: () => answer("listEndedRuns", () => book.ended()),
		dismissRun: (run) => answer("dismissRun", () => book.dismiss(run)),
		stopRun: (run) => answer("stopRun", () => book.stop(run)),
		onRuns: (listener) => book.listen((runs, ended) => listener(structuredClone(runs), structuredClone(ended))),

		...recording(world, answer, dialogs),
		showInFolder: () => answer("showInFolder", () => undefined),
		...aroundTheWindow(world, answer),

		about: () =>
			answer("about", () => ({
				version: "0.1.0",
				dataFolder: "/home/sam/.local/share/site-steward",
				logFolder: "/home/sam/.local/share/site-steward/logs",
				keyring: "Secret Service",
			})),
		...updating(world, answer, options.endless?.includes("installUpdate") ?? false),
		showLogs: () => answer("showLogs", () => undefined),
		examine: () => answer("examine", examination),
		setTitle: async (title) => {
			document.title = title;
		},
	};
}

/** Each of several has a record of its own; all together have none. */
function withoutRecord<T>(ended: Ended<T>): Ended<T> {
	return ended.kind === "done" ? { ...ended, record: null } : ended;
}
