import type {
	BatchItemResult,
	ContactsBatch,
	ContactsFileReading,
	DataStoreItem,
	DeactivationView,
	FaultRule,
	FindItemsForm,
	GuidedTourStep,
	HistoryEntry,
	ImportReport,
	InvitationView,
	Millis,
	OperationKey,
	OutcomeResolutionView,
	ParticipantView,
	PracticeUser,
	PreferencesView,
	Problem,
	ProfileFile,
	Release,
	RunResult,
	ServerUpload,
	ServiceView,
	SessionView,
	SiteId,
	SiteView,
	TokenExpiryCheck,
	UnfinishedUpload,
	UnsavedInvitationView,
	UpdateFault,
	UpdateMethod,
	UpdateView,
} from "../bindings";
import type { HeldSearch } from "./items";

/** Everything the small world knows. Tests may begin with other contents. */
export interface World {
	sites: SiteView[];
	sessions: Map<SiteId, SessionView>;
	practiceRunning: boolean;
	practiceUsers: PracticeUser[];
	services: ServiceView[];
	dataRoots: string[];
	items: DataStoreItem[];
	itemSearches: Map<SiteId, HeldSearch>;
	itemFilters: Map<SiteId, FindItemsForm[]>;
	uploads: ServerUpload[];
	participants: ParticipantView[];
	invitations: InvitationView[];
	/** What a contact sheet says, where it is not the usual one. */
	sheet: ContactsFileReading | null;
	/** What came of the last sheets. */
	contactRuns: Map<SiteId, ContactsBatch>;
	/** How the first of several end, where they are not simply done. */
	severalEnds: (BatchItemResult<never> | null)[];
	/** Refreshed and not saved. */
	keptInvitations: (UnsavedInvitationView & { site: SiteId })[];
	unfinishedUploads: UnfinishedUpload[];
	history: HistoryEntry[];
	reports: Map<string, ImportReport>;
	silences: DeactivationView[];
	settlements: Map<string, OutcomeResolutionView>;
	preferences: PreferencesView;
	/** Mishaps of the practice site that are still to come. */
	mishaps: FaultRule[];
	lap: { begun: Millis | null; folded: boolean; seen: GuidedTourStep[] };
	/** Operations that outlive the token. */
	tokenOutlooks: Map<OperationKey, TokenExpiryCheck>;
	/** By record. */
	ticks: Map<string, Set<string>>;
	/** The file that the dialog for profiles chooses. */
	profileFile: ProfileFile;
	updates: UpdateView;
	/** What is found when somebody looks, and who can bring it here. */
	newest: { release: Release; way: UpdateMethod } | null;
	/** What goes wrong with updates from now on. */
	updateFault: UpdateFault | null;
}

export const practiceSiteId = "practice";
export const practiceFolder = "/home/sam/.local/share/site-steward/practice";
export const practiceExports = `${practiceFolder}/exports`;

/** Whether the practice site answers for it: also where it is saved under another name. */
export function isPractice({ portal }: SiteView): boolean {
	return portal?.includes(":41873/") ?? false;
}

/** A site's one server. */
export function withServer(address: string): Pick<SiteView, "server" | "servers" | "currentServer" | "importAddress"> {
	const id = "server";
	const server = {
		id,
		name: "",
		address,
		servicesUrl: "",
		adminUrl: "",
		serverType: { kind: "gis" } as const,
		role: "",
	};
	return { server: address, servers: [server], currentServer: id, importAddress: address };
}

export function practiceSite(): SiteView {
	return {
		id: practiceSiteId,
		name: "Practice",
		environment: "practice",
		color: "grape",
		portal: "https://127.0.0.1:41873/portal",
		portalAdminUrl: null,
		deploymentType: "enterprise",
		...withServer("https://127.0.0.1:41873/server"),
		connection: {
			caCertificate: `${practiceFolder}/ca.pem`,
			clientCertificate: "",
			trustedCertificates: [],
			route: { kind: "direct" },
		},
		clientId: "",
		username: null,
		lastExport: null,
		portalExport: null,
		serverExport: null,
		seen: null,
		readOnly: false,
		unlockedUntil: null,
	};
}

export function done<T>(record: string, startedAt: number, report: T): RunResult<T> {
	const at = Date.now();
	return { kind: "done", record, at, took: at - startedAt, report };
}

export function siteIn(world: World, id: SiteId): SiteView {
	const site = world.sites.find((one) => one.id === id);
	if (!site) throw { kind: "unexpected", message: `no site ${id}` } satisfies Problem;
	return site;
}
