import type * as bindings from "../bindings";
import { content, failedDeliveries, invitations } from "./samples";

/** Results of native dialogs; `null` if the user closes one. */
export interface Dialogs {
	/** Folder of the save dialog. */
	saveTo: string | null;
	/** Contacts file. */
	sheet: string | null;
	fileToUpload: string | null;
	/** Folder that the folder dialog returns. */
	chosenFolder: string | null;
	/** Certificate file. */
	chosenFile: string;
}

export const usualDialogs: Dialogs = {
	saveTo: "/home/sam/Documents",
	sheet: "/home/sam/Documents/contacts.csv",
	fileToUpload: "/home/sam/Documents/city.agssite",
	chosenFolder: "/home/sam/Invitations",
	chosenFile: "/home/sam/certificates/city-root-ca.pem",
};

/** Results of a search, as the backend holds them. */
export interface HeldSearch {
	view: bindings.ItemSearchView;
	items: bindings.DataStoreItem[];
	/** Rows of the last query, because the following pages repeat it. */
	latest?: { question: string; rows: bindings.ItemRow[] };
}

/** Returns the initial data of the fake backend. Tests can replace parts of it. */
export function seed() {
	const { services, items, usedBy, uploads, participants, importReport } = content();
	const preferences: bindings.PreferencesView = {
		preferences: {
			theme: "system",
			language: "system",
			zoom: 100,
			notifications: true,
			reminders: true,
			connection: { route: { kind: "system" }, caCertificate: "" },
			lastSite: null,
		},
		setAside: [],
		policy: null,
	};
	return {
		dialogs: usualDialogs as Dialogs,
		sites: [] as bindings.SiteView[],
		sessions: new Map<bindings.SiteId, bindings.SessionView>(),
		practiceAcceptsSiteFiles: false,
		practiceRunning: false,
		services: services as bindings.ServiceView[],
		items: items as bindings.DataStoreItem[],
		itemSearches: new Map<bindings.SiteId, HeldSearch>(),
		itemFilters: new Map<bindings.SiteId, bindings.FindItemsForm[]>(),
		/** Messages of the server about items it cannot use, by path. */
		unusableItems: new Map([["/fileShares/aerial", "The folder \\\\nas\\gis\\aerial cannot be read."]]),
		itemValidations: new Map<bindings.SiteId, Map<string, bindings.ItemValidation>>(),
		/** Services that use an item, by its path. Manifests do not mention other items. */
		usedBy: new Map<string, string[]>(Object.entries(usedBy)),
		withoutManifest: ["Routing.NAServer"],
		/** Result of reading the manifests. */
		dataUse: new Map<bindings.SiteId, bindings.DataUse>(),
		uploads: uploads as bindings.ServerUpload[],
		participants: participants as bindings.ParticipantView[],
		invitations: invitations(),
		/** Contents of a contacts file; `null` for the default. */
		sheet: null as bindings.ContactsFileReading | null,
		contactRuns: new Map<bindings.SiteId, bindings.ContactsBatch>(),
		batchSizes: new Map<bindings.BatchId, number>(),
		/** Results of the first items of a batch; `null` for success. */
		severalEnds: [] as (bindings.BatchItemResult<never> | null)[],
		/** Refreshed invitations that are not saved. */
		keptInvitations: [] as (bindings.UnsavedInvitationView & { site: bindings.SiteId })[],
		/** Usual duration of an operation; `null` if it is not known. */
		usual: null as bindings.Millis | null,
		unfinishedUploads: [] as bindings.UnfinishedUpload[],
		history: [] as bindings.HistoryEntry[],
		/** Paths of stored uploads on this computer. */
		localFiles: new Map<string, string>(),
		roomForCopy: true,
		/** Paths of exports by history entry. */
		exportFiles: new Map<string, string>(),
		/** Paths of export files that were removed. */
		goneFiles: new Set<string>(),
		reports: new Map<string, bindings.ImportReport>(),
		/** Report of the next import: its status is `success`, although two services did not start. */
		importReport: importReport as bindings.ImportReport,
		/** Names of the entries of every export file. */
		exportEntries: ["manifest.json", "services/Parcels/Zoning.MapServer.json", "services/Roads.MapServer.json"],
		/** Reports of portal imports by history entry. */
		portalReports: new Map<string, bindings.PortalImportReport>(),
		/** Comparisons of the portal with its exports, by path. */
		portalComparisons: new Map<string, bindings.PortalComparison>(),
		/** Differences between the server and an export, by upload ID or path on this computer. */
		comparisons: new Map<string, bindings.Comparison>(),
		/** Why a stored export that is not in `comparisons` has no inventory. */
		noInventory: "none" as bindings.NoInventory,
		inventoryIsBeside: false,
		exportedFrom: null as bindings.ExportedFrom | null,
		/** Contents of stored exports without an inventory, by upload ID. */
		contents: new Map<string, bindings.ArchiveContents>(),
		/** Parts that the server does not list. */
		missingParts: [] as bindings.MissingPart[],
		portalInventory: {
			takenAt: Date.now(),
			items: 312,
			itemsByType: [
				{ type: "web map", count: 208 },
				{ type: "feature service", count: 104 },
			],
			users: 31,
			groups: 9,
			collaborations: 3,
			missing: [],
		} as bindings.PortalInventory,
		serviceCheck: {
			checkedAt: Date.now(),
			services: 32,
			shouldRun: 32,
			running: 32,
			notRunning: [],
		} as bindings.ServiceCheck,
		exportVerification: {
			size: 214_600_000,
			entries: 431,
			unverifiedEntries: 0,
			isRecognized: true,
			fault: null,
			usualSize: null,
		} as bindings.ExportVerification,
		/** Size of the last complete server export. */
		lastExportSize: null as bindings.Bytes | null,
		/** Last successful exports of the sites, which were not verified. */
		exported: { portal: null as bindings.Millis | null, server: null as bindings.Millis | null },
		/** bindings.Recoverability of every site; `null` to derive it from the exports. */
		recoverable: null as bindings.Recoverability | null,
		exportState: { verified: null, hasWarnings: false, partlyVerified: null } as bindings.ExportState,
		/** Checked facts by site. */
		checks: new Map<string, bindings.ComponentFacts[]>(),
		/** Checks that fail. */
		checkFailures: [] as bindings.ComponentCheck[],
		/** Results of the checks of whole sites. */
		siteProofs: new Map<bindings.SiteId, bindings.SiteProofView>(),
		/** Snapshots of each site. */
		snapshots: new Map<bindings.SiteId, bindings.SnapshotsView>(),
		/** Result of comparing any two snapshots. */
		comparison: null as bindings.ComparisonView | null,
		/** Imports with a snapshot before and after them. */
		comparedImports: [] as bindings.ImportView[],
		/** Changes of each portal or server since its first snapshot. */
		changed: [] as bindings.ChangedView[],
		/** Sites and servers that have a snapshot. */
		sides: [] as bindings.SideView[],
		/** Fields that differ, by the name of the resource. */
		comparedFields: new Map<string, bindings.FieldView[]>(),
		plans: [] as bindings.PlanView[],
		/** Backup sets by plan, newest first. */
		planSets: new Map<bindings.PlanId, bindings.SetView[]>(),
		/** Restores in progress, by plan. */
		restores: new Map<bindings.PlanId, { set: string; at: number }>(),
		/** Imports since a restore was begun, by server; `null` for the portal. */
		restored: new Map<bindings.ServerId | null, bindings.StepImport>(),
		rehearsals: [] as bindings.BegunRehearsal[],
		/** Parts of rehearsal steps that tests replace, by server; `null` for the portal. */
		rehearsalSteps: new Map<bindings.ServerId | null, Partial<bindings.RehearsalStep>>(),
		/** Differences between the site of a backup set and a test site. */
		differences: [] as bindings.RehearsalDifference[],
		/** Receipts of rehearsals, by entry. A rehearsal ends with the last one. */
		receipts: new Map<bindings.RecordId, bindings.ReceiptView>(),
		setSearch: { searched: 0, found: [], unsearched: [], unread: [] } as bindings.SetSearch,
		fileVerification: { kind: "verified" } as bindings.SetFileVerification,
		/** Acceptance list of every plan. */
		acceptance: [] as bindings.AcceptanceLine[],
		/** Plans marked as seen, with the time since which each has needed a user. */
		seenPlans: new Map<bindings.PlanId, bindings.Millis>(),
		lastPlanStart: null as bindings.Millis | null,
		runningPlan: null as bindings.RunningPlan | null,
		setAlerts: [] as bindings.SetAlert[],
		registration: { followed: "asItWas", problem: null } as bindings.RegistrationView,
		/** Concerns of every site, the worst first. */
		concerns: [] as bindings.Concern[],
		expires: [] as bindings.Expiry[],
		expiryGaps: [] as bindings.ExpiryGap[],
		/** Names of active webhooks by entry of the deactivation log, as of the last comparison. */
		activeAgain: new Map<string, readonly string[]>(),
		failedDeliveries: failedDeliveries(),
		deactivations: [] as bindings.DeactivationView[],
		settlements: new Map<string, bindings.OutcomeResolutionView>(),
		preferences,
		activeFaults: [] as bindings.FaultRule[],
		guidedTour: { begun: null as bindings.Millis | null, folded: false, seen: [] as bindings.GuidedTourStep[] },
		/** Operations that the token might not outlast. */
		tokenOutlooks: new Map<bindings.OperationKey, bindings.TokenExpiryCheck>(),
		/** Checklist items marked as done, by history entry. */
		ticks: new Map<string, Set<string>>(),
		/** Content of the profile file that the dialog selects. */
		profileFile: { kind: "dismissed" } as bindings.ProfileFile,
		forwarding: {
			logServer: { host: "", port: 6514, caCertificate: "", clientCertificate: "" },
			rule: "allowed",
			hosts: null,
			last: null,
			waiting: 0,
			failing: null,
		} as bindings.ForwardingView,
		/** Why a test message fails; `null` if it succeeds. */
		testFault: null as bindings.ForwardingFault | null,
		alerts: {
			channels: [],
			desktop: null,
			allowed: ["desktop", "webhook", "slack", "teams", "mail", "heartbeat"],
			hosts: null,
			isRequired: false,
		} as bindings.AlertsView,
		/** Why a test alert fails; `null` if it succeeds. */
		alertFault: null as bindings.AlertFault | null,
		updates: { stage: { kind: "notLooked" }, fault: null } as bindings.UpdateView,
		/** Newest release, and how it is installed; `null` if there is none. */
		newest: null as { release: bindings.Release; way: bindings.UpdateMethod } | null,
		/** Fault of every update from now on. */
		updateFault: null as bindings.UpdateFault | null,
	};
}
