import { type QueryKey, skipToken, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import {
	type Backend,
	type Compared,
	type ExportLocation,
	type Key,
	type Millis,
	type OperationForm,
	type OperationKey,
	type PlanForm,
	type PlanId,
	type Problem,
	type RecordId,
	type Schedule,
	type SearchId,
	type ServerId,
	type SiteId,
	type Target,
	useBackend,
	type WebhookOfService,
} from "@/bridge";

const ofSite = (site: SiteId) => ["site", site];
const ofServer = ({ site, server }: Target) => [...ofSite(site), "server", server];
const snapshots = (site: SiteId) => [...ofSite(site), "snapshots"];
/** A comparison of two sites belongs to the page of the right one. */
const ofCompared = (compared: Compared) => snapshots(compared.kind === "since" ? compared.site : compared.right.site);
const sessions = (site: SiteId) => [...ofSite(site), "session"];
const history = ["history"];

/** Keys of cached reads. Invalidating a key also invalidates every key that begins with it. */
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
	/** Concerns of each site. Below `history`, because they change with it. */
	overviews: [...history, "overviews"],
	overview: (site: SiteId) => [...history, "overviews", site],
	allOverviews: [...history, "overviews", "all"],
	trail: [...history, "trail"],
	/** Reads of the history, by kind and arguments. */
	found: (what: string, ...about: readonly unknown[]) => [...history, what, ...about],
	records: ["record"],
	record: (record: RecordId) => ["record", record],
	report: (record: RecordId) => ["report", record],
	portalReport: (record: RecordId) => ["report", record, "portal"],
	checklist: (record: string) => ["checklist", record],
	outcomeResolution: (record: RecordId) => ["outcomeResolution", record],

	allSites: ["site"],
	/** All reads of a site. */
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
	/** Plans of a site. Their sets, previews, and searches are below this key. */
	plans: (site: SiteId) => [...ofSite(site), "plans"],
	planSets: (site: SiteId, plan: PlanId) => [...ofSite(site), "plans", plan],
	/** State of the plan runner, which serves all sites. */
	planRunner: ["plan-runner"],
	planAcceptance: (form: PlanForm) => [...ofSite(form.site), "plans", "acceptance", form],
	planPreview: (form: PlanForm) => [...ofSite(form.site), "plans", "preview", form],
	/** Restores from backup sets. Below `history`, because they change with it. */
	restores: [...history, "restore"],
	siteRestore: (plan: PlanId, set: string) => [...history, "restore", plan, set],
	/** Rehearsals that are in progress. Below `history`, because they change with it. */
	rehearsals: [...history, "rehearsal"],
	rehearsal: (plan: PlanId, set: string, site: SiteId) => [...history, "rehearsal", plan, set, site],
	receipt: (record: RecordId) => [...history, "receipt", record],
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
	/** Plans of all sites that need a user. Below `overviews`, because checks and plan changes affect both. */
	planTroubles: [...history, "overviews", "plans"],
	nextRuns: (schedule: Schedule) => ["nextRuns", schedule],
	portalImport: (site: SiteId) => [...ofSite(site), "portalImport"],
	portalComparison: (site: SiteId, location: string | null) => [
		...ofSite(site),
		"portalImport",
		"comparison",
		location,
	],
	finds: (site: SiteId, words: string) => [...ofSite(site), "finds", words],
	itemFilters: (site: SiteId) => [...ofSite(site), "itemFilters"],
	snapshots,
	compared: (compared: Compared) => [...ofCompared(compared), "compared", compared],
	comparedFields: (compared: Compared, key: Key) => [...ofCompared(compared), "fields", compared, key],
	importsCompared: (site: SiteId) => [...snapshots(site), "imports"],
	changedSinceAccepted: (site: SiteId) => [...snapshots(site), "changed"],
	sides: ["sides"],
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

type Options<T> = Omit<UseQueryOptions<T, Problem>, "queryKey" | "queryFn">;

/** Reads with a backend command and caches the result under a key. Reads nothing if `read` is `null`. */
export function useRead<T>(queryKey: QueryKey, read: ((backend: Backend) => Promise<T>) | null, options?: Options<T>) {
	const backend = useBackend();
	return useQuery<T, Problem>({ queryKey, queryFn: read === null ? skipToken : () => read(backend), ...options });
}
