import type { Backend } from "./backend";
import { type NewRun, operations, type SiteId, type Target } from "./bindings";
import { alerts } from "./fake-backend/alerts";
import { type Answering, answering, type Doings, each, failing } from "./fake-backend/answer";
import { changing } from "./fake-backend/changes";
import { collaborating, contactsFiles } from "./fake-backend/collaborations";
import { checked, checking, ofServices } from "./fake-backend/data-stores";
import { type Deed, type Deeds, type EndWithoutResult, type Operation, parameters } from "./fake-backend/deeds";
import { federated } from "./fake-backend/discovery";
import { exporting } from "./fake-backend/exports";
import { transferring } from "./fake-backend/files";
import { forwarding } from "./fake-backend/forwarding";
import { importing, replacing, undoing } from "./fake-backend/imports";
import { finding, searching } from "./fake-backend/items";
import { overviews } from "./fake-backend/overview";
import { planning } from "./fake-backend/plans";
import { importingPortals, judgingPortalImports, replacingPortals } from "./fake-backend/portal-imports";
import { practising } from "./fake-backend/practice";
import { recordedExports, verifyingExports } from "./fake-backend/recorded-exports";
import { addressOf, recording } from "./fake-backend/records";
import { rehearsing } from "./fake-backend/rehearsals";
import { RunBook } from "./fake-backend/runs";
import { type Dialogs, seed, usualDialogs } from "./fake-backend/seed";
import { sessionOf, signingIn } from "./fake-backend/sessions";
import { provingSites } from "./fake-backend/site-proofs";
import { refuseLocked, savedSites } from "./fake-backend/sites";
import { updating } from "./fake-backend/updates";
import { deactivated, deactivating, failedDeliveriesOf } from "./fake-backend/webhooks";
import { aroundTheWindow, type Happenings } from "./fake-backend/window";
import { siteIn, targetOf, type World } from "./fake-backend/world";
import { newRun } from "./new-run";

export interface MemoryOptions extends Answering, Partial<Dialogs> {
	/** Operations that run until they are stopped. */
	endless?: readonly (keyof Backend)[];
	/** Operations that end without a result, each with its end. */
	ends?: Partial<Record<Operation, EndWithoutResult>>;
	/** Duration of an operation, in milliseconds. */
	runMillis?: number;
	/** Initial data that differs from the default. */
	world?: Partial<World>;
}

/**
 * Implements the backend in memory, for tests and ordinary browsers. `happen` triggers what only the system can cause.
 */
export function fakeBackend(options: MemoryOptions = {}): Backend & { happen: Happenings } {
	const { endless = [], fail = {}, ends = {} } = options;
	const world: World = { ...seed(), ...options.world, dialogs: { ...usualDialogs, ...options } };
	const book = new RunBook(world, options.runMillis ?? 0);

	const deeds: Deeds = {
		...exporting(world),
		...verifyingExports(world),
		...importing(world),
		...importingPortals(world),
		...deactivating(world),
		...finding(world),
		...checking(world),
		...collaborating(world),
	};
	/** Problems from `fail` end the run, so that it has a history entry. */
	const performing = each(deeds, (name, deedOf) =>
		failing(async (where, run, ...form) => {
			const { site: id, server: asked } = targetOf(where as SiteId | Target);
			const site = siteIn(world, id);
			const deed = deedOf(site, ...form) as Deed<unknown>;
			// An undo names only its import, and a verification only its export. Both use the server of that entry.
			const isOfEntry = name === "undoImport" || name === "verifyRecordedExport";
			const entry = isOfEntry ? world.history.find((one) => one.id === form[0]) : undefined;
			const server = entry ? entry.server : asked;
			const impact = operations.find(({ key }) => key === deed.operation)?.impact;
			if (impact === "changes" || impact === "replaces") refuseLocked(site);
			if (deed.dismissed) return { kind: "dismissed" };
			const problem = fail[name as Operation];
			// A faulty form begins no run.
			if (problem?.kind === "form" || problem?.kind === "preconditionFailed") throw problem;
			const work: typeof deed.work = (...given) => {
				if (problem) throw problem;
				return deed.work(...given);
			};
			// Operations that only read have no history entry and no reason.
			const begun = typeof run === "string" ? newRun(run) : (run as NewRun);
			const ending = { ...deed, server, work, end: ends[name as Operation] };
			return book.carryOut(site, begun, ending, endless.includes(name as Operation));
		}),
	) as unknown as Pick<Doings, Operation>;

	const listing = {
		...contactsFiles(world),
		...replacing(world),
		...replacingPortals(world),
		...ofServices(world),
		listServices: () => world.services,
		listFailedDeliveries: (_target, webhooks) => webhooks.map((one) => failedDeliveriesOf(world, one)),
		listDataRoots: () => ["/enterpriseDatabases", "/fileShares", "/nosqlDatabases", "/cloudStores", "/rasterStores"],
		listParticipants: () => world.participants,
		listInvitations: () => world.invitations,
		findServers: (id) => federated(siteIn(world, id).servers),
		checkTokenExpiry: ({ site: id }, operation) => {
			const endsAt = world.sessions.get(id)?.expiresAt ?? null;
			return world.tokenOutlooks.get(operation) ?? { endsAt, tookBefore: null, shortBy: null };
		},
	} satisfies Partial<Doings>;
	/** These commands require a session. */
	const listed = each(listing, (_name, doing) => (where, ...rest) => {
		sessionOf(world, targetOf(where as SiteId | Target).site);
		return doing(where, ...rest);
	});

	const { happen, heard, doings: around } = aroundTheWindow(world);
	const { onUpdate, doings: updates } = updating(world, endless.includes("installUpdate"));
	const doings: Omit<Doings, Operation> = {
		...savedSites(world),
		...overviews(world),
		...provingSites(world),
		...changing(world),
		...signingIn(world),
		...practising(world),
		...listed,
		...searching(world),
		...checked(world),
		...deactivated(world),
		...undoing(world),
		...judgingPortalImports(world),
		...transferring(world, book, endless.includes("uploadForImport")),
		...recording(world),
		...recordedExports(world),
		...around,
		...updates,
		...forwarding(world),
		...planning(world),
		...rehearsing(world),
		...alerts(world),
		lastContactsBatch: (id) => world.contactRuns.get(id) ?? null,
		chooseFolder: () => world.dialogs.chosenFolder,
		chooseFile: () => world.dialogs.chosenFile,
		previewRequests: ({ site }, { operation, form }) => {
			const url = addressOf(operation, siteIn(world, site));
			const forms: readonly object[] = [form].flat();
			return forms.map((one) => ({ method: "POST", url, fields: parameters({ ...one }) }));
		},
		listRuns: () => book.now(),
		dismissRun: (run) => book.dismiss(run),
		stopRun: (run) => book.stop(run),
	};
	return {
		...answering(doings, options),
		...answering(performing, { ...options, fail: {} }),
		...heard,
		onUpdate,
		onRuns: book.listen,
		setTitle: async (title) => {
			document.title = title;
		},
		happen,
	};
}
