import type {
	AcceptanceLine,
	AlertFault,
	AlertsView,
	ArchiveContents,
	BatchId,
	BatchItemResult,
	Bytes,
	Comparison,
	ComponentCheck,
	ComponentFacts,
	Concern,
	ContactsBatch,
	ContactsFileReading,
	DataStoreItem,
	DataUse,
	DeactivationView,
	ExportedFrom,
	ExportState,
	ExportVerification,
	FaultRule,
	FindItemsForm,
	ForwardingFault,
	ForwardingView,
	GuidedTourStep,
	HistoryEntry,
	ImportReport,
	ItemRow,
	ItemSearchView,
	ItemValidation,
	Millis,
	MissingPart,
	NoInventory,
	OperationKey,
	OutcomeResolutionView,
	PlanId,
	PlanView,
	PortalImportReport,
	PortalInventory,
	PreferencesView,
	ProfileFile,
	RegistrationView,
	Release,
	RunningPlan,
	ServiceCheck,
	SessionView,
	SetAlert,
	SetFileVerification,
	SetView,
	SiteId,
	SiteProofView,
	SiteView,
	TokenExpiryCheck,
	UnfinishedUpload,
	UnsavedInvitationView,
	UnsearchedSet,
	UpdateFault,
	UpdateMethod,
	UpdateView,
} from "../bindings";
import { failedDeliveries, invitations, items, participants, services, uploads, usedBy } from "./samples";

/** What the native dialogs answer; `null` when one is closed. */
export interface Dialogs {
	/** The save dialog: a folder. */
	saveTo: string | null;
	/** The dialog for a contacts file. */
	sheet: string | null;
	/** The dialog for a file to upload. */
	fileToUpload: string | null;
	/** The folder dialog. */
	chosenFolder: string | null;
	/** The dialog for a certificate. */
	chosenFile: string;
}

export const usualDialogs: Dialogs = {
	saveTo: "/home/sam/Documents",
	sheet: "/home/sam/Documents/contacts.csv",
	fileToUpload: "/home/sam/Documents/city.agssite",
	chosenFolder: "/home/sam/Invitations",
	chosenFile: "/home/sam/certificates/city-root-ca.pem",
};

/** What a site answered, held as the program holds it. */
export interface HeldSearch {
	view: ItemSearchView;
	items: DataStoreItem[];
	/** The rows of the latest question: the next ones are asked for again and again. */
	latest?: { question: string; rows: ItemRow[] };
}

/** Everything the small world knows. Tests may begin with other contents. */
export function seed() {
	const preferences: PreferencesView = {
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
		/** Files that were dropped onto the window, or opened with the program. */
		droppedFiles: new Set<string>(),
		sites: [] as SiteView[],
		sessions: new Map<SiteId, SessionView>(),
		practiceAcceptsSiteFiles: false,
		practiceRunning: false,
		services: services(),
		items: items(),
		itemSearches: new Map<SiteId, HeldSearch>(),
		itemFilters: new Map<SiteId, FindItemsForm[]>(),
		/** What the server says of the items that it cannot use. */
		unusableItems: new Map([["/fileShares/aerial", "The folder \\\\nas\\gis\\aerial cannot be read."]]),
		itemValidations: new Map<SiteId, Map<string, ItemValidation>>(),
		/** The services that use an item, by its path; of other items no manifest tells. */
		usedBy: usedBy(),
		/** Services that have no manifest. */
		withoutManifest: ["Routing.NAServer"],
		/** When the manifests were read. */
		dataUse: new Map<SiteId, DataUse>(),
		uploads: uploads(),
		participants: participants(),
		invitations: invitations(Date.now()),
		/** Content of a contacts file, where it is not the usual one. */
		sheet: null as ContactsFileReading | null,
		/** Results of the last contacts files. */
		contactRuns: new Map<SiteId, ContactsBatch>(),
		batchSizes: new Map<BatchId, number>(),
		/** How the first of several end, where they are not simply done. */
		severalEnds: [] as (BatchItemResult<never> | null)[],
		/** Refreshed and not saved. */
		keptInvitations: [] as (UnsavedInvitationView & { site: SiteId })[],
		unfinishedUploads: [] as UnfinishedUpload[],
		history: [] as HistoryEntry[],
		/** Where files that a server stores are on this computer. */
		localFiles: new Map<string, string>(),
		/** Whether this computer has room for a copy of a safety backup. */
		roomForCopy: true,
		/** Paths that exports were written to, by their record. */
		exportFiles: new Map<string, string>(),
		/** Files of exports that were removed since. */
		goneFiles: new Set<string>(),
		reports: new Map<string, ImportReport>(),
		/** Names of the entries of every export file. */
		exportEntries: ["manifest.json", "services/Parcels/Zoning.MapServer.json", "services/Roads.MapServer.json"],
		/** Reports of imports of a portal, by their record. */
		portalReports: new Map<string, PortalImportReport>(),
		/** What was counted after each portal export, by the path of its file. */
		portalInventories: new Map<string, PortalInventory | null>(),
		/** What the exports that the server stores would change, by their identifier. */
		comparisons: new Map<string, Comparison>(),
		/** Why another export that the server stores has no inventory. */
		noInventory: "none" as NoInventory,
		inventoryIsBeside: false,
		exportedFrom: null as ExportedFrom | null,
		/** The contents of the files that the server stores and that have no inventory, by their identifier. */
		contents: new Map<string, ArchiveContents>(),
		/** What the server does not list. */
		missingParts: [] as MissingPart[],
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
		} as PortalInventory,
		/** The states of the services, as the server reports them. */
		serviceCheck: { checkedAt: Date.now(), services: 32, shouldRun: 32, running: 32, notRunning: [] } as ServiceCheck,
		/** What the check of a file says that was saved. */
		exportVerification: {
			size: 214_600_000,
			entries: 431,
			unverifiedEntries: 0,
			isRecognized: true,
			fault: null,
			usualSize: null,
		} as ExportVerification,
		/** Size of the last export of a server that was saved and is complete. */
		lastExportSize: null as Bytes | null,
		exportState: { verified: null, partlyVerified: null, rehearsed: null } as ExportState,
		/** What was checked, by site. */
		checks: new Map<string, ComponentFacts[]>(),
		/** Components whose next check fails. */
		checkFailures: [] as ComponentCheck[],
		siteProofs: new Map<SiteId, SiteProofView>(),
		/** Backup plans of all sites, with their states. */
		plans: [] as PlanView[],
		/** Their sets, the newest first. */
		planSets: new Map<PlanId, SetView[]>(),
		/** Plans whose storage account has a key in the keyring. */
		accountKeys: new Set<PlanId>(),
		/** Restores that were begun, by their plans. */
		restores: new Map<PlanId, { set: string; at: number }>(),
		/** Sets that a search cannot search. */
		unsearched: [] as UnsearchedSet[],
		/** How the verification of a file of a set ends. */
		fileVerification: { kind: "verified" } as SetFileVerification,
		/** Lines of the acceptance list of each plan besides those that are met. */
		acceptance: [] as AcceptanceLine[],
		/** Since when a plan needs a user, as the user has seen it. */
		seenPlans: new Map<PlanId, Millis>(),
		lastPlanStart: null as Millis | null,
		runningPlan: null as RunningPlan | null,
		setAlerts: [] as SetAlert[],
		registration: { followed: "asItWas", problem: null } as RegistrationView,
		/** What needs attention besides: what the site returned. */
		concerns: [] as Concern[],
		/** Names of the webhooks of each entry of the log that are active again, as of the last comparison. */
		activeAgain: new Map<string, readonly string[]>(),
		failedDeliveries: failedDeliveries(),
		deactivations: [] as DeactivationView[],
		settlements: new Map<string, OutcomeResolutionView>(),
		preferences,
		/** Files that were chosen in the dialog to open one. */
		chosenFiles: new Set<string>(),
		/** Active simulated faults of the practice site. */
		activeFaults: [] as FaultRule[],
		guidedTour: { begun: null as Millis | null, folded: false, seen: [] as GuidedTourStep[] },
		/** Operations that outlive the token. */
		tokenOutlooks: new Map<OperationKey, TokenExpiryCheck>(),
		/** By record. */
		ticks: new Map<string, Set<string>>(),
		/** The file that the dialog for profiles chooses. */
		profileFile: { kind: "dismissed" } as ProfileFile,
		forwarding: {
			logServer: { host: "", port: 6514, caCertificate: "", clientCertificate: "" },
			rule: "allowed",
			hosts: null,
			last: null,
			waiting: 0,
			failing: null,
		} as ForwardingView,
		/** Why a test message does not arrive. */
		testFault: null as ForwardingFault | null,
		alerts: {
			channels: [],
			desktop: null,
			allowed: ["desktop", "webhook", "slack", "teams", "mail", "heartbeat"],
			hosts: null,
			isRequired: false,
		} as AlertsView,
		/** Why a test alert does not arrive. */
		alertFault: null as AlertFault | null,
		updates: { stage: { kind: "notLooked" }, fault: null } as UpdateView,
		/** The newest version, and how it is installed. */
		newest: null as { release: Release; way: UpdateMethod } | null,
		/** What goes wrong with updates from now on. */
		updateFault: null as UpdateFault | null,
	};
}
