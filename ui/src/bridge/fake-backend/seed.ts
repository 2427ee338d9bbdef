import type {
	AcceptanceLine,
	AlertFault,
	AlertsView,
	ArchiveContents,
	BatchId,
	BatchItemResult,
	BegunRehearsal,
	Bytes,
	ChangedView,
	Comparison,
	ComparisonView,
	ComponentCheck,
	ComponentFacts,
	Concern,
	ContactsBatch,
	ContactsFileReading,
	DataStoreItem,
	DataUse,
	DeactivationView,
	Expiry,
	ExpiryGap,
	ExportedFrom,
	ExportState,
	ExportVerification,
	FaultRule,
	FieldView,
	FindItemsForm,
	ForwardingFault,
	ForwardingView,
	GuidedTourStep,
	HistoryEntry,
	ImportReport,
	ImportView,
	ItemRow,
	ItemSearchView,
	ItemValidation,
	Millis,
	MissingPart,
	NoInventory,
	OperationKey,
	OutcomeResolutionView,
	ParticipantView,
	PlanId,
	PlanView,
	PortalImportReport,
	PortalInventory,
	PreferencesView,
	ProfileFile,
	ReceiptView,
	RecordId,
	Recoverability,
	RegistrationView,
	RehearsalDifference,
	RehearsalStep,
	Release,
	RunningPlan,
	ServerId,
	ServerUpload,
	ServiceCheck,
	ServiceView,
	SessionView,
	SetAlert,
	SetFileVerification,
	SetSearch,
	SetView,
	SideView,
	SiteId,
	SiteProofView,
	SiteView,
	SnapshotsView,
	StepImport,
	TokenExpiryCheck,
	UnfinishedUpload,
	UnsavedInvitationView,
	UpdateFault,
	UpdateMethod,
	UpdateView,
} from "../bindings";
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
	view: ItemSearchView;
	items: DataStoreItem[];
	/** Rows of the last query, because the following pages repeat it. */
	latest?: { question: string; rows: ItemRow[] };
}

/** Returns the initial data of the fake backend. Tests can replace parts of it. */
export function seed() {
	const { services, items, usedBy, uploads, participants, importReport } = content();
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
		sites: [] as SiteView[],
		sessions: new Map<SiteId, SessionView>(),
		practiceAcceptsSiteFiles: false,
		practiceRunning: false,
		services: services as ServiceView[],
		items: items as DataStoreItem[],
		itemSearches: new Map<SiteId, HeldSearch>(),
		itemFilters: new Map<SiteId, FindItemsForm[]>(),
		/** Messages of the server about items it cannot use, by path. */
		unusableItems: new Map([["/fileShares/aerial", "The folder \\\\nas\\gis\\aerial cannot be read."]]),
		itemValidations: new Map<SiteId, Map<string, ItemValidation>>(),
		/** Services that use an item, by its path. Manifests do not mention other items. */
		usedBy: new Map<string, string[]>(Object.entries(usedBy)),
		withoutManifest: ["Routing.NAServer"],
		/** Result of reading the manifests. */
		dataUse: new Map<SiteId, DataUse>(),
		uploads: uploads as ServerUpload[],
		participants: participants as ParticipantView[],
		invitations: invitations(),
		/** Contents of a contacts file; `null` for the default. */
		sheet: null as ContactsFileReading | null,
		contactRuns: new Map<SiteId, ContactsBatch>(),
		batchSizes: new Map<BatchId, number>(),
		/** Results of the first items of a batch; `null` for success. */
		severalEnds: [] as (BatchItemResult<never> | null)[],
		/** Refreshed invitations that are not saved. */
		keptInvitations: [] as (UnsavedInvitationView & { site: SiteId })[],
		unfinishedUploads: [] as UnfinishedUpload[],
		history: [] as HistoryEntry[],
		/** Paths of stored uploads on this computer. */
		localFiles: new Map<string, string>(),
		roomForCopy: true,
		/** Paths of exports by history entry. */
		exportFiles: new Map<string, string>(),
		/** Paths of export files that were removed. */
		goneFiles: new Set<string>(),
		reports: new Map<string, ImportReport>(),
		/** Report of the next import: its status is `success`, although two services did not start. */
		importReport: importReport as ImportReport,
		/** Names of the entries of every export file. */
		exportEntries: ["manifest.json", "services/Parcels/Zoning.MapServer.json", "services/Roads.MapServer.json"],
		/** Reports of portal imports by history entry. */
		portalReports: new Map<string, PortalImportReport>(),
		/** Inventories of portal exports by path. */
		portalInventories: new Map<string, PortalInventory | null>(),
		/** Differences between the server and an export, by upload ID or path on this computer. */
		comparisons: new Map<string, Comparison>(),
		/** Why other stored exports have no inventory. */
		noInventory: "none" as NoInventory,
		inventoryIsBeside: false,
		exportedFrom: null as ExportedFrom | null,
		/** Contents of stored exports without an inventory, by upload ID. */
		contents: new Map<string, ArchiveContents>(),
		/** Parts that the server does not list. */
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
		serviceCheck: { checkedAt: Date.now(), services: 32, shouldRun: 32, running: 32, notRunning: [] } as ServiceCheck,
		exportVerification: {
			size: 214_600_000,
			entries: 431,
			unverifiedEntries: 0,
			isRecognized: true,
			fault: null,
			usualSize: null,
		} as ExportVerification,
		/** Size of the last complete server export. */
		lastExportSize: null as Bytes | null,
		/** Last successful exports of the sites, which were not verified. */
		exported: { portal: null as Millis | null, server: null as Millis | null },
		/** Recoverability of every site; `null` to derive it from the exports. */
		recoverable: null as Recoverability | null,
		exportState: { verified: null, hasWarnings: false, partlyVerified: null } as ExportState,
		/** Checked facts by site. */
		checks: new Map<string, ComponentFacts[]>(),
		/** Checks that fail. */
		checkFailures: [] as ComponentCheck[],
		/** Results of the checks of whole sites. */
		siteProofs: new Map<SiteId, SiteProofView>(),
		/** Snapshots of each site. */
		snapshots: new Map<SiteId, SnapshotsView>(),
		/** Result of comparing any two snapshots. */
		comparison: null as ComparisonView | null,
		/** Imports with a snapshot before and after them. */
		comparedImports: [] as ImportView[],
		/** Changes of each portal or server since its first snapshot. */
		changed: [] as ChangedView[],
		/** Sites and servers that have a snapshot. */
		sides: [] as SideView[],
		/** Fields that differ, by the name of the resource. */
		comparedFields: new Map<string, FieldView[]>(),
		plans: [] as PlanView[],
		/** Backup sets by plan, newest first. */
		planSets: new Map<PlanId, SetView[]>(),
		/** Restores in progress, by plan. */
		restores: new Map<PlanId, { set: string; at: number }>(),
		/** Imports since a restore was begun, by server; `null` for the portal. */
		restored: new Map<ServerId | null, StepImport>(),
		rehearsals: [] as BegunRehearsal[],
		/** Parts of rehearsal steps that tests replace, by server; `null` for the portal. */
		rehearsalSteps: new Map<ServerId | null, Partial<RehearsalStep>>(),
		/** Differences between the site of a backup set and a test site. */
		differences: [] as RehearsalDifference[],
		/** Receipts of rehearsals, by entry. A rehearsal ends with the last one. */
		receipts: new Map<RecordId, ReceiptView>(),
		setSearch: { searched: 0, found: [], unsearched: [], unread: [] } as SetSearch,
		fileVerification: { kind: "verified" } as SetFileVerification,
		/** Acceptance list of every plan. */
		acceptance: [] as AcceptanceLine[],
		/** Plans marked as seen, with the time since which each has needed a user. */
		seenPlans: new Map<PlanId, Millis>(),
		lastPlanStart: null as Millis | null,
		runningPlan: null as RunningPlan | null,
		setAlerts: [] as SetAlert[],
		registration: { followed: "asItWas", problem: null } as RegistrationView,
		/** Concerns in addition to those that follow from other data. */
		concerns: [] as Concern[],
		expires: [] as Expiry[],
		expiryGaps: [] as ExpiryGap[],
		/** Names of active webhooks by entry of the deactivation log, as of the last comparison. */
		activeAgain: new Map<string, readonly string[]>(),
		failedDeliveries: failedDeliveries(),
		deactivations: [] as DeactivationView[],
		settlements: new Map<string, OutcomeResolutionView>(),
		preferences,
		activeFaults: [] as FaultRule[],
		guidedTour: { begun: null as Millis | null, folded: false, seen: [] as GuidedTourStep[] },
		/** Operations that the token might not outlast. */
		tokenOutlooks: new Map<OperationKey, TokenExpiryCheck>(),
		/** Checklist items marked as done, by history entry. */
		ticks: new Map<string, Set<string>>(),
		/** Content of the profile file that the dialog selects. */
		profileFile: { kind: "dismissed" } as ProfileFile,
		forwarding: {
			logServer: { host: "", port: 6514, caCertificate: "", clientCertificate: "" },
			rule: "allowed",
			hosts: null,
			last: null,
			waiting: 0,
			failing: null,
		} as ForwardingView,
		/** Why a test message fails; `null` if it succeeds. */
		testFault: null as ForwardingFault | null,
		alerts: {
			channels: [],
			desktop: null,
			allowed: ["desktop", "webhook", "slack", "teams", "mail", "heartbeat"],
			hosts: null,
			isRequired: false,
		} as AlertsView,
		/** Why a test alert fails; `null` if it succeeds. */
		alertFault: null as AlertFault | null,
		updates: { stage: { kind: "notLooked" }, fault: null } as UpdateView,
		/** Newest release, and how it is installed; `null` if there is none. */
		newest: null as { release: Release; way: UpdateMethod } | null,
		/** Fault of every update from now on. */
		updateFault: null as UpdateFault | null,
	};
}
