import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { RecordId, SiteId, Target } from "@/bridge";
import { readAgain } from "./queries/client";
import { queryKeys } from "./queries/keys";

const nothing = (): QueryKey[] => [];
const sites = () => [queryKeys.sites, queryKeys.history];
const plans = (site: SiteId) => [queryKeys.plans(site), queryKeys.overviews];
const tour = () => [queryKeys.guidedTour];
const checks = (target: Target) => [queryKeys.itemChecks(target)];

/**
 * What each command makes stale, besides those of {@link runs}. A reply that is the new state itself, for example the
 * order of the sites, is put into its query by the caller, and makes only other queries stale. A sign-in is taken by
 * `takeSession`.
 */
export const stale = {
	saveSite: (site: SiteId) => [...sites(), queryKeys.site(site)],
	removeSite: sites,
	orderSites: nothing,
	chooseServer: sites,
	trustCertificate: (site: SiteId) => [...sites(), queryKeys.site(site)],
	confirmAddress: sites,
	saveProfiles: nothing,
	addProfile: sites,
	unlockSite: sites,
	lockSite: sites,
	signIn: nothing,
	signInWithToken: nothing,
	signInInBrowser: nothing,
	stopBrowserSignIn: nothing,
	openSignInPage: nothing,
	signInWithCode: nothing,
	signOut: (site: SiteId) => [...sites(), queryKeys.site(site)],
	startPractice: sites,
	signInToPractice: nothing,
	practicePassword: nothing,
	// Its session continues with the next start.
	stopPractice: () => [queryKeys.everything],
	resetPractice: () => [queryKeys.everything],
	addFault: tour,
	clearFaults: tour,
	startTour: nothing,
	endTour: nothing,
	collapseTour: nothing,
	saveContactsTemplate: nothing,
	saveTable: nothing,
	// Opening the right one is a step of the guided tour.
	itemDetails: tour,
	saveItems: nothing,
	validateItems: checks,
	findDataUse: checks,
	uploadForImport: (target: Target) => [queryKeys.uploads(target), queryKeys.unfinishedUploads(target)],
	discardUpload: (target: Target) => [queryKeys.unfinishedUploads(target), queryKeys.history],
	deleteUpload: (target: Target) => [queryKeys.uploads(target), queryKeys.history],
	saveInvitationAgain: (site: SiteId) => [queryKeys.keptInvitations(site), queryKeys.overviews, queryKeys.guidedTour],
	discardUnsavedInvitation: (site: SiteId) => [queryKeys.keptInvitations(site), queryKeys.overviews],
	// What each returns of the services is a fact of the overview.
	checkServices: () => [queryKeys.overviews],
	checkServicesAgain: (record: RecordId) => [queryKeys.report(record), queryKeys.overviews],
	// A step of the guided tour.
	checkPortalImport: (record: RecordId) => [queryKeys.portalReport(record), queryKeys.guidedTour],
	checkSite: () => [queryKeys.overviews],
	// What each check returns of the services is a fact of the overview.
	checkSiteBack: (site: SiteId) => [queryKeys.siteProof(site), queryKeys.overviews],
	stopSiteCheck: (site: SiteId) => [queryKeys.siteProof(site)],
	savePlan: (site: SiteId) => [...plans(site), queryKeys.planRunner],
	deletePlan: (site: SiteId) => [...plans(site), queryKeys.planRunner],
	// When it ends, too. A run of the practice site may use up a simulated fault.
	runPlanNow: (site: SiteId) => [...plans(site), queryKeys.planRunner, queryKeys.activeFaults],
	stopPlanRun: () => [queryKeys.planRunner],
	markPlanSeen: () => [queryKeys.planTroubles],
	pinSet: plans,
	showSet: nothing,
	// Its reply is the file, for the form that takes it.
	setFileForImport: nothing,
	beginRestore: () => [queryKeys.restores],
	endRestore: () => [queryKeys.restores],
	verifySetFile: (site: SiteId) => [...plans(site), queryKeys.restores],
	// Its reply is the new state.
	acceptSiteFiles: nothing,
	dismissRun: nothing,
	stopRun: nothing,
	saveHistory: nothing,
	// Its reply is the new state.
	verifyTrail: nothing,
	stopTrailVerification: nothing,
	saveTrail: nothing,
	// A step of the guided tour.
	saveAuditPackage: tour,
	saveReport: nothing,
	remindMe: (site: SiteId) => [queryKeys.deactivations(site)],
	resolveDeactivation: (site: SiteId) => [queryKeys.deactivations(site), queryKeys.overviews],
	setReason: (records: readonly RecordId[]) => [
		...records.map((record) => queryKeys.record(record)),
		queryKeys.history,
	],
	setOutcome: (record: RecordId) => [queryKeys.outcomeResolution(record), queryKeys.record(record), queryKeys.history],
	setChecklistItem: (record: RecordId) => [queryKeys.checklist(record)],
	verifyRecordedExport: (record: RecordId) => [queryKeys.recordedExport(record)],
	showInFolder: nothing,
	showLogs: nothing,
	installUpdate: nothing,
	stopUpdate: nothing,
	restartForUpdate: nothing,
	runDiagnostics: nothing,
	// The sessions that used the connection before have ended.
	savePreferences: () => [queryKeys.allSites, queryKeys.history],
	// Its reply is the new list.
	resolveSetAside: () => [queryKeys.planRunner],
	// Its reply is the new state of forwarding.
	saveLogServer: () => [queryKeys.history],
	testLogServer: nothing,
	// Their reply is the new state of the channels.
	saveAlertChannel: () => [queryKeys.history],
	deleteAlertChannel: () => [queryKeys.history],
	testAlertChannel: nothing,
	resolveStart: nothing,
	quitStart: nothing,
	answerClose: nothing,
	openLink: nothing,
	printPage: nothing,
} satisfies Record<string, (about: never) => readonly QueryKey[]>;

type Command = keyof typeof stale;

/**
 * Commands that are runs, beside those with the name of an operation. What they make stale is in the descriptions of the
 * operations, as a run outlives its caller.
 */
export const runs = [
	"saveStoredExport",
	"undoImport",
	"undoPortalImport",
	"deactivateWebhook",
	"updateParticipants",
	"refreshInvitations",
	"reactivateWebhook",
	"reactivateWebhooks",
	"reactivateAllWebhooks",
] as const;

/** Has what a command made stale read again, as far as it is on screen. */
export function useStale(): <C extends Command>(command: C, ...about: Parameters<(typeof stale)[C]>) => Promise<void> {
	const queries = useQueryClient();
	return useCallback(
		async (command, ...about) => {
			const keys = (stale[command] as (...about: unknown[]) => readonly QueryKey[])(...about);
			// What is asked of a site may take long, and nothing waits for it.
			const isAsked = (key: QueryKey) => key[0] === "site" && key.length <= 2;
			const reads = keys.map((key) => {
				const read = readAgain(queries, key);
				return isAsked(key) ? null : read;
			});
			await Promise.all(reads);
		},
		[queries],
	);
}
