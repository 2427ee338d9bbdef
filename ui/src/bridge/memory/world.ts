import type {
	ContactRun,
	DataItem,
	Ended,
	FindItemsForm,
	HistoryEntry,
	ImportReport,
	InvitationView,
	KeptInvitationView,
	Key,
	LapStep,
	Millis,
	MishapOrder,
	Part,
	ParticipantView,
	PracticeUser,
	PreferencesView,
	Problem,
	ProfileFile,
	Release,
	ServiceView,
	SessionView,
	SettlementView,
	SheetReading,
	SilenceView,
	SiteId,
	SiteView,
	StoredUpload,
	TokenOutlook,
	UnfinishedUpload,
	UpdateFault,
	UpdateView,
	UpdateWay,
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
	items: DataItem[];
	itemSearches: Map<SiteId, HeldSearch>;
	itemFilters: Map<SiteId, FindItemsForm[]>;
	uploads: StoredUpload[];
	participants: ParticipantView[];
	invitations: InvitationView[];
	/** What a contact sheet says, where it is not the usual one. */
	sheet: SheetReading | null;
	/** What came of the last sheets. */
	contactRuns: Map<SiteId, ContactRun>;
	/** How the first of several end, where they are not simply done. */
	severalEnds: (Part<never> | null)[];
	/** Refreshed and not saved. */
	keptInvitations: (KeptInvitationView & { site: SiteId })[];
	unfinishedUploads: UnfinishedUpload[];
	history: HistoryEntry[];
	reports: Map<string, ImportReport>;
	silences: SilenceView[];
	settlements: Map<string, SettlementView>;
	preferences: PreferencesView;
	/** Mishaps of the practice site that are still to come. */
	mishaps: MishapOrder[];
	lap: { begun: Millis | null; folded: boolean; seen: LapStep[] };
	/** Operations that outlive the token. */
	tokenOutlooks: Map<Key, TokenOutlook>;
	/** By record. */
	ticks: Map<string, Set<string>>;
	/** The file that the dialog for profiles chooses. */
	profileFile: ProfileFile;
	updates: UpdateView;
	/** What is found when somebody looks, and who can bring it here. */
	newest: { release: Release; way: UpdateWay } | null;
	/** What goes wrong with updates from now on. */
	updateFault: UpdateFault | null;
}

export const practiceSiteId = "practice";
export const practiceFolder = "/home/sam/.local/share/site-steward/practice";
export const practiceExports = `${practiceFolder}/exports`;

/** A site's one server. */
export function withServer(address: string): Pick<SiteView, "server" | "servers" | "chosenServer" | "importAddress"> {
	const id = "server";
	const server = { id, name: "", address, public: "", direct: "", flavour: { kind: "gis" } as const, role: "" };
	return { server: address, servers: [server], chosenServer: id, importAddress: address };
}

export function practiceSite(): SiteView {
	return {
		id: practiceSiteId,
		name: "Practice",
		kind: "practice",
		color: "grape",
		portal: "https://127.0.0.1:41873/portal",
		portalDirect: null,
		flavour: "enterprise",
		...withServer("https://127.0.0.1:41873/server"),
		connection: {
			caCertificate: `${practiceFolder}/ca.pem`,
			clientCertificate: "",
			pins: [],
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

export function done<T>(record: string, startedAt: number, report: T): Ended<T> {
	const at = Date.now();
	return { kind: "done", record, at, took: at - startedAt, report };
}

export function siteIn(world: World, id: SiteId): SiteView {
	const site = world.sites.find((one) => one.id === id);
	if (!site) throw { kind: "unexpected", message: `no site ${id}` } satisfies Problem;
	return site;
}
