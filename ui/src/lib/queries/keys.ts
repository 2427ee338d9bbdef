import type {
	ExportLocation,
	Millis,
	OperationForm,
	OperationKey,
	PlanForm,
	PlanId,
	RecordId,
	Schedule,
	SearchId,
	ServerId,
	SiteId,
	Target,
	WebhookOfService,
} from "@/bridge";

const ofSite = (site: SiteId) => ["site", site];
const ofServer = ({ site, server }: Target) => [...ofSite(site), "server", server];
const sessions = (site: SiteId) => [...ofSite(site), "session"];
const history = ["history"];

/** By what the answers of the commands are kept. A key makes all stale that begin with it. */
export const queryKeys = {
	everything: [],
	sites: ["sites"],
	practice: ["practice"],
	about: ["about"],
	updates: ["updates"],
	forwarding: ["forwarding"],
	alerts: ["alerts"],
	activeFaults: ["active-faults"],
	guidedTour: ["guided-tour"],
	help: (language: string) => ["help", language],
	roomForCopy: ["roomForCopy"],
	fileFacts: (path: string) => ["fileFacts", path],
	recordedExport: (record: RecordId) => ["recordedExport", record],

	history,
	/** What needs attention on each site. What changes the history changes it, too. */
	overviews: [...history, "overviews"],
	overview: (site: SiteId) => [...history, "overviews", site],
	allOverviews: [...history, "overviews", "all"],
	trail: [...history, "trail"],
	/** What is looked up in it: what for, and about what. */
	found: (what: string, ...about: readonly unknown[]) => [...history, what, ...about],
	records: ["record"],
	record: (record: RecordId) => ["record", record],
	report: (record: RecordId) => ["report", record],
	portalReport: (record: RecordId) => ["report", record, "portal"],
	checklist: (record: string) => ["checklist", record],
	outcomeResolution: (record: RecordId) => ["outcomeResolution", record],

	allSites: ["site"],
	/** Everything that was asked of a site, or is kept of it. */
	site: ofSite,
	sessions,
	session: ({ site, server }: Target) => [...sessions(site), server],
	lastSession: (site: SiteId) => [...ofSite(site), "lastSession"],
	foundServers: (site: SiteId) => [...ofSite(site), "foundServers"],
	participants: (site: SiteId) => [...ofSite(site), "participants"],
	contactRun: (site: SiteId) => [...ofSite(site), "contactRun"],
	invitations: (site: SiteId) => [...ofSite(site), "invitations"],
	keptInvitations: (site: SiteId) => [...ofSite(site), "keptInvitations"],
	deactivations: (site: SiteId) => [...ofSite(site), "deactivations"],
	/** Plans of the site, their sets, and what is planned. */
	plans: (site: SiteId) => [...ofSite(site), "plans"],
	planSets: (site: SiteId, plan: PlanId) => [...ofSite(site), "plans", plan],
	/** What the runner of all sites does now. */
	planRunner: ["plan-runner"],
	planAcceptance: (form: PlanForm) => [...ofSite(form.site), "plans", "acceptance", form],
	planPreview: (form: PlanForm) => [...ofSite(form.site), "plans", "preview", form],
	/** Restores from sets. What changes the history changes them, too. */
	restores: [...history, "restore"],
	siteRestore: (plan: PlanId, set: string) => [...history, "restore", plan, set],
	setSearch: (site: SiteId, words: string) => [...ofSite(site), "plans", "search", words],
	setInventories: (site: SiteId, plan: PlanId, set: string) => [...ofSite(site), "plans", plan, set],
	setTrail: (site: SiteId, plan: PlanId, set: string) => [...ofSite(site), "plans", "trail", plan, set],
	setServices: (site: SiteId, plan: PlanId, set: string, server: ServerId) => [
		...ofSite(site),
		"plans",
		plan,
		set,
		server,
	],
	/** Of all sites. What a site is asked, or a plan changes, changes it, too. */
	planTroubles: [...history, "overviews", "plans"],
	nextRuns: (schedule: Schedule) => ["nextRuns", schedule],
	/** What an import of the portal would do. */
	portalImport: (site: SiteId) => [...ofSite(site), "portalImport"],
	portalComparison: (site: SiteId, location: string | null) => [
		...ofSite(site),
		"portalImport",
		"comparison",
		location,
	],
	/** What the palette finds by words. */
	finds: (site: SiteId, words: string) => [...ofSite(site), "finds", words],
	itemFilters: (site: SiteId) => [...ofSite(site), "itemFilters"],
	siteProof: (site: SiteId) => [...ofSite(site), "proof"],
	laterChecks: (site: SiteId, first: Millis) => [...ofSite(site), "laterChecks", first],

	checkTokenExpiry: (target: Target, operation: OperationKey) => [...ofServer(target), "checkTokenExpiry", operation],
	services: (target: Target) => [...ofServer(target), "services"],
	deliveries: (target: Target, webhooks: readonly WebhookOfService[]) => [
		...ofServer(target),
		"services",
		"deliveries",
		webhooks,
	],
	activeAgain: (target: Target) => [...ofServer(target), "services", "activeAgain"],
	dataRoots: (target: Target) => [...ofServer(target), "dataRoots"],
	itemSearch: (target: Target) => [...ofServer(target), "itemSearch"],
	itemRows: (target: Target, search: SearchId) => [...ofServer(target), "itemRows", search],
	itemChecks: (target: Target) => [...ofServer(target), "itemChecks"],
	uploads: (target: Target) => [...ofServer(target), "uploads"],
	storedFile: (target: Target, upload: string) => [...ofServer(target), "uploads", upload],
	unfinishedUploads: (target: Target) => [...ofServer(target), "unfinishedUploads"],
	comparison: (target: Target, location: ExportLocation | null) => [...ofServer(target), "comparison", location],
	changeSummary: (target: Target) => [...ofServer(target), "changeSummary"],
	requestPreview: (target: Target, form: OperationForm) => ["requestPreview", target, form],
} as const;
