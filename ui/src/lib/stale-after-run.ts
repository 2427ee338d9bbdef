import type { QueryKey } from "@tanstack/react-query";
import type { HistoryAction, OperationKey, SiteId, Target } from "@/bridge";
import { queryKeys } from "./queries";
import type { PastRun } from "./run-store";

type Act = Extract<HistoryAction, "upload" | "reactivate_webhooks" | "validate_data_items" | "find_data_use">;
type What = OperationKey | Act;

/** What was read of a server and is not so any longer once this was run there. No run asks who is signed in. */
const ofServer: Partial<Record<What, readonly ((target: Target) => QueryKey)[]>> = {
	export_server: [queryKeys.uploads],
	import_server: [
		queryKeys.services,
		queryKeys.dataRoots,
		queryKeys.uploads,
		queryKeys.unfinishedUploads,
		queryKeys.changeSummary,
	],
	deactivate_webhooks: [queryKeys.services],
	find_items: [queryKeys.itemSearch],
	upload: [queryKeys.uploads, queryKeys.unfinishedUploads],
	reactivate_webhooks: [queryKeys.services],
	validate_data_items: [queryKeys.itemChecks],
	find_data_use: [queryKeys.itemChecks],
};

/** What was read of the portal, or is kept of the whole site. */
const ofSite: Partial<Record<What, readonly ((site: SiteId) => QueryKey)[]>> = {
	import_server: [queryKeys.deactivations],
	deactivate_webhooks: [queryKeys.deactivations],
	find_items: [queryKeys.itemFilters],
	update_participant: [queryKeys.participants, queryKeys.contactRun],
	refresh_invitation: [queryKeys.invitations, queryKeys.keptInvitations],
	reactivate_webhooks: [queryKeys.deactivations],
};

/** What this program keeps of all sites. An export says how old the last one is; an import may begin with one. */
const ofProgram: Partial<Record<What, readonly QueryKey[]>> = {
	export_portal: [queryKeys.sites],
	export_server: [queryKeys.sites],
	import_server: [queryKeys.sites, queryKeys.reminders],
	deactivate_webhooks: [queryKeys.reminders],
	refresh_invitation: [queryKeys.reminders],
	reactivate_webhooks: [queryKeys.reminders],
};

/** It only looks, and leaves no record. */
const unrecorded: ReadonlySet<What> = new Set(["find_items", "validate_data_items", "find_data_use"]);

/** The queries that a run makes stale. Those of other sites are none of them. */
export function staleAfter({ site, server, operation, act }: PastRun, isPractice: boolean): QueryKey[] {
	const what: What = act !== null && (act in ofServer || act in ofSite) ? (act as Act) : operation;
	return [
		...(ofServer[what] ?? []).map((key) => key({ site, server })),
		...(ofSite[what] ?? []).map((key) => key(site)),
		...(ofProgram[what] ?? []),
		...(unrecorded.has(what) ? [] : [queryKeys.history, queryKeys.records]),
		// How long such a run usually takes is known better now.
		queryKeys.checkTokenExpiry({ site, server }, operation),
		// A run may use up a mishap, and take the lap a step further.
		...(isPractice ? [queryKeys.activeFaults, queryKeys.guidedTour] : []),
	];
}
