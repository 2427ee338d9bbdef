import type { Backend, Commands } from "./backend";
import type { RunId, SiteId, SiteView } from "./bindings";
import { type Answering, answering, type Doings, each } from "./memory/answer";
import { deactivated } from "./memory/deactivations";
import { transferring } from "./memory/files";
import { federated } from "./memory/finding";
import { searching } from "./memory/items";
import * as deeds from "./memory/operations";
import { practising } from "./memory/practice";
import { preview } from "./memory/preview";
import { recording } from "./memory/records";
import { RunBook } from "./memory/runs";
import { seed } from "./memory/seed";
import { sessionOf, signingIn } from "./memory/sessions";
import * as several from "./memory/several";
import { readSheet } from "./memory/sheet";
import { refuseLocked, savedSites } from "./memory/sites";
import { updating } from "./memory/updates";
import { aroundTheWindow, type Happenings } from "./memory/window";
import { siteIn, type World } from "./memory/world";

export interface MemoryOptions extends Answering {
	/** Operations that run until they are stopped. */
	endless?: readonly (keyof Backend)[];
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

type Operation =
	| "exportPortal"
	| "exportServer"
	| "importServer"
	| "undoImport"
	| "deactivateWebhooks"
	| "reactivateWebhooks"
	| "findItems"
	| "updateParticipant"
	| "updateParticipants"
	| "refreshInvitation"
	| "refreshInvitations";
type Report<Name extends Operation> = Extract<Awaited<ReturnType<Commands[Name]>>, { kind: "done" }>["report"];
type Form<Name extends Operation> = Parameters<Commands[Name]> extends [SiteId, RunId, ...infer Rest] ? Rest : never;
/** What each operation does to the world; a faulty form is refused before anything else. */
type Deeds = { [Name in Operation]: (site: SiteView, ...form: Form<Name>) => deeds.Deed<Report<Name>> };

/** What changes no site: a copy elsewhere does not. */
const harmless: ReadonlySet<string> = new Set<Operation>(["exportPortal", "exportServer", "findItems"]);

/** A small faithful world for tests and for an ordinary browser. */
export function memoryBackend(options: MemoryOptions = {}): Backend & { happen: Happenings } {
	const {
		endless = [],
		fail = {},
		saveTo = "/home/sam/Documents",
		fileToUpload = "/home/sam/Documents/city.agssite",
	} = options;
	const world: World = { ...seed(), ...options.world };
	const book = new RunBook(world, options.runMillis ?? 0);
	const dialogs: deeds.Dialogs = { saveTo };
	const siteOf = (id: SiteId) => siteIn(world, id);

	const operations: Deeds = {
		exportPortal: (_site, form) => deeds.exportPortal(form),
		exportServer: (_site, form) => deeds.exportServer(form, dialogs),
		importServer: (site, form) => deeds.importServer(world, site, form, dialogs),
		undoImport: (site, record, confirmation) => deeds.undoImport(world, site, record, confirmation),
		deactivateWebhooks: (site, form) => deeds.deactivateWebhooks(world, site, form),
		reactivateWebhooks: (site, entry) => deeds.reactivateWebhooks(world, site, entry),
		findItems: (site, form, first) => deeds.findItems(world, site, form, first),
		updateParticipant: (_site, form) => deeds.updateParticipant(world, form),
		updateParticipants: (site, forms) => several.updateParticipants(world, site, forms),
		refreshInvitation: (site, form) => deeds.refreshInvitation(world, site, form, dialogs),
		refreshInvitations: (site, forms) => {
			const { chosenFolder = "/home/sam/Invitations" } = options;
			return several.refreshInvitations(world, site, forms, chosenFolder);
		},
	};

	/** What `fail` names fails in the run, where the history sees it. */
	const performing = each(operations, (name, deed) => (site, run, ...form) => {
		const saved = siteOf(site as SiteId);
		const { dismissed, work, ...order } = deed(saved, ...form) as deeds.Deed<unknown>;
		if (!harmless.has(name)) refuseLocked(saved);
		if (dismissed) return { kind: "dismissed" };
		const problem = fail[name as Operation];
		const failing = () => {
			throw problem;
		};
		const all = { ...order, work: problem ? failing : work, site: saved.id, run: run as RunId };
		return book.carryOut(all, endless.includes(name as Operation));
	}) as unknown as Pick<Doings, Operation>;

	const listing = {
		listServices: () => world.services,
		listDataRoots: () => world.dataRoots,
		listUploads: () => world.uploads,
		listParticipants: () => world.participants,
		listInvitations: () => world.invitations,
		findServers: (id) => federated(siteOf(id).servers),
		previewImport: (id) => deeds.previewImport(world, siteOf(id)),
		checkTokenExpiry: (id, operation) =>
			world.tokenOutlooks.get(operation) ?? {
				endsAt: world.sessions.get(id)?.expiresAt ?? null,
				tookBefore: null,
				shortBy: null,
			},
		readContactsFile: (_site, path) => {
			const { sheet = "/home/sam/Documents/contacts.csv" } = options;
			return readSheet(world, path ?? sheet);
		},
		saveContactsTemplate: (id) => deeds.savedFile(dialogs, `Contacts of ${siteOf(id).name}.csv`, 4_180),
	} satisfies Partial<Doings>;
	/** A site tells none of it to a stranger. */
	const listed = each(listing, (_name, doing) => (site, ...rest) => {
		sessionOf(world, site as SiteId);
		return doing(site, ...rest);
	});

	const { happen, heard, doings: around } = aroundTheWindow(world);
	const { onUpdate, doings: updates } = updating(world, endless.includes("installUpdate"));
	const uploadsAreEndless = endless.includes("uploadForImport");
	const doings: Omit<Doings, Operation> = {
		...savedSites(world, book, dialogs),
		...signingIn(world),
		...practising(world),
		...listed,
		...searching(world, dialogs),
		...deactivated(world),
		...transferring(world, book, dialogs, fileToUpload, uploadsAreEndless),
		...recording(world, dialogs),
		...around,
		...updates,
		lastContactsBatch: (id) => world.contactRuns.get(id) ?? null,
		chooseFolder: () => (options.chosenFolder === undefined ? "/srv/backup" : options.chosenFolder),
		chooseFile: () => "/home/sam/certificates/city-root-ca.pem",
		previewRequests: (id, form) => preview(siteOf(id), form),
		listRuns: () => book.now(),
		dismissRun: (run) => book.dismiss(run),
		stopRun: (run) => book.stop(run),
	};
	return {
		...answering(doings, options),
		...answering(performing, { ...options, fail: {} }),
		...heard,
		onUpdate,
		onRuns: (listener) => book.listen((now) => listener(structuredClone(now))),
		setTitle: async (title) => {
			document.title = title;
		},
		happen,
	};
}
