import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Backend, type Problem, type RecordId, type SiteId, type Target, useBackend } from "@/bridge";
import { readAgain } from "./queries/client";
import { queryKeys } from "./queries/keys";

interface Answered<T, A> {
	/** Query whose data the response replaces. */
	answers?: QueryKey;
	onDone?: (answer: T, form: A) => void;
	onFailed?: (problem: Problem) => void;
}

/** Command with what its entry of {@link stale} takes. */
type MadeStale = { [C in Command]: [C, ...Parameters<(typeof stale)[C]>] }[Command];

/**
 * Sends a command. `makesStale`: `null` for one that only reads.
 *
 * The queries it makes stale are invalidated even if the component is gone, and also after a failure, because the
 * command might have had an effect. `onDone` and `onFailed` are not called after the component unmounted or was reset:
 * they would affect another page or dialog.
 */
export function useCommand<T, A = void>(
	send: (backend: Backend, form: A) => Promise<T>,
	makesStale: MadeStale | ((stale: ReturnType<typeof useStale>, form: A) => unknown) | null = null,
	{ answers, onDone, onFailed }: Answered<T, A> = {},
) {
	const backend = useBackend();
	const stale = useStale();
	const { mutate, ...command } = useMutation<T, Problem, A>({
		mutationFn: (form) => send(backend, form),
		gcTime: keptBriefly,
		onSuccess: (answer, _form, _before, { client }) => {
			if (answers) client.setQueryData(answers, answer);
		},
		onSettled: (_answer, _problem, form) =>
			typeof makesStale === "function"
				? makesStale(stale, form)
				: makesStale && (stale as (...made: MadeStale) => unknown)(...makesStale),
	});
	return {
		...command,
		mutate: (form: A) =>
			mutate(form, { onSuccess: (answer) => onDone?.(answer, form), onError: (problem) => onFailed?.(problem) }),
	};
}

/**
 * Time for which the query library keeps a command and its response after their component is gone, in milliseconds.
 * Short, because both can hold secrets; not zero, because the query library would then poll a command that is still
 * running without a pause.
 */
export const keptBriefly = 1_000;

const nothing = (): QueryKey[] => [];
const sites = () => [queryKeys.sites, queryKeys.history];
const plans = (site: SiteId) => [queryKeys.plans(site), queryKeys.overviews];
const tour = () => [queryKeys.guidedTour];
const checks = (target: Target) => [queryKeys.itemChecks(target)];

/**
 * Queries that each command makes stale, except {@link runs}.
 *
 * If a reply is the new state, for example the order of the sites, the caller stores it, and the entry lists only other
 * queries. `takeSession` handles sign-ins.
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
	startPracticeTest: sites,
	signInToPractice: nothing,
	practicePassword: nothing,
	// Everything is read again, because the site no longer responds. Its session continues at the next start.
	stopPractice: () => [queryKeys.everything],
	resetPractice: () => [queryKeys.everything],
	addFault: tour,
	clearFaults: tour,
	startTour: nothing,
	endTour: nothing,
	collapseTour: nothing,
	saveContactsTemplate: nothing,
	saveTable: nothing,
	// Opening the right item is a step of the guided tour.
	itemDetails: tour,
	saveItems: nothing,
	validateItems: checks,
	findDataUse: checks,
	uploadForImport: (target: Target) => [queryKeys.uploads(target), queryKeys.unfinishedUploads(target)],
	// If the file is complete on the server, it becomes a stored upload instead.
	discardUpload: (target: Target) => [
		queryKeys.uploads(target),
		queryKeys.unfinishedUploads(target),
		queryKeys.history,
	],
	deleteUpload: (target: Target) => [queryKeys.uploads(target), queryKeys.history],
	saveInvitationAgain: (site: SiteId) => [queryKeys.keptInvitations(site), queryKeys.overviews, queryKeys.guidedTour],
	discardUnsavedInvitation: (site: SiteId) => [queryKeys.keptInvitations(site), queryKeys.overviews],
	// The overview shows the state of the services.
	checkServices: () => [queryKeys.overviews],
	checkServicesAgain: (record: RecordId) => [queryKeys.report(record), queryKeys.overviews],
	// Checking an imported portal is a step of the guided tour.
	checkPortalImport: (record: RecordId) => [queryKeys.portalReport(record), queryKeys.guidedTour],
	// Checking a site is a step of the guided tour.
	checkSite: () => [queryKeys.overviews, queryKeys.guidedTour],
	// The check also reads the services, whose state the overview shows.
	checkSiteBack: (site: SiteId) => [queryKeys.siteProof(site), queryKeys.overviews, queryKeys.guidedTour],
	stopSiteCheck: (site: SiteId) => [queryKeys.siteProof(site)],
	// Taking a snapshot is a step of the guided tour.
	takeSnapshot: (site: SiteId) => [queryKeys.snapshots(site), queryKeys.sides, queryKeys.guidedTour],
	snapshotBeforeImport: (site: SiteId) => [queryKeys.snapshots(site), queryKeys.sides],
	stopSnapshot: (site: SiteId) => [queryKeys.snapshots(site)],
	acceptDifference: (site: SiteId) => [queryKeys.snapshots(site), queryKeys.trail],
	// What a comparison shows completes steps of the guided tour.
	compareSnapshots: tour,
	saveSubstitutions: (site: SiteId) => [queryKeys.snapshots(site)],
	setFieldCompared: (site: SiteId) => [queryKeys.snapshots(site)],
	saveChanges: nothing,
	simulateChanges: tour,
	damagePracticeSet: nothing,
	savePlan: (site: SiteId) => [...plans(site), queryKeys.planRunner],
	deletePlan: (site: SiteId) => [...plans(site), queryKeys.planRunner],
	// Called when the run ends, too. A run on the practice site can use up a simulated fault.
	runPlanNow: (site: SiteId) => [...plans(site), queryKeys.planRunner, queryKeys.activeFaults],
	stopPlanRun: () => [queryKeys.planRunner],
	markPlanSeen: () => [queryKeys.planTroubles],
	pinSet: plans,
	showSet: nothing,
	// The reply is the file, which the form uses.
	setFileForImport: nothing,
	beginRestore: () => [queryKeys.restores],
	endRestore: () => [queryKeys.restores],
	beginRehearsal: () => [queryKeys.rehearsals, queryKeys.guidedTour],
	// Only opens the import form, whose values are in the reply.
	openRehearsalStep: nothing,
	skipRehearsalStep: () => [queryKeys.rehearsals],
	endRehearsal: () => [queryKeys.history, queryKeys.overviews, queryKeys.guidedTour],
	forgetRehearsal: () => [queryKeys.rehearsals],
	saveRehearsalReceipt: nothing,
	verifySetFile: (site: SiteId) => [...plans(site), queryKeys.restores],
	// The reply is the new state.
	acceptSiteFiles: nothing,
	dismissRun: nothing,
	stopRun: nothing,
	saveHistory: nothing,
	// The reply is the new state.
	verifyTrail: nothing,
	stopTrailVerification: nothing,
	saveTrail: nothing,
	// Saving an audit package is a step of the guided tour.
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
	// The result replaces that of the verification after the export.
	verifyRecordedExport: (record: RecordId) => [
		queryKeys.recordedExport(record),
		queryKeys.report(record),
		queryKeys.overviews,
	],
	showInFolder: nothing,
	showLogs: nothing,
	logWindowFault: nothing,
	installUpdate: nothing,
	stopUpdate: nothing,
	restartForUpdate: nothing,
	runDiagnostics: nothing,
	// Sessions that used the previous connection have ended.
	savePreferences: () => [queryKeys.allSites, queryKeys.history],
	// The reply is the new list.
	resolveSetAside: () => [queryKeys.planRunner],
	// The reply is the new state of forwarding.
	saveLogServer: () => [queryKeys.history],
	testLogServer: nothing,
	// The reply is the new state of the channels.
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
 * Commands that are runs, in addition to those named after an operation. The operation descriptions list what they make
 * stale, because a run outlives its caller.
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

/** Returns a function that invalidates what a command made stale; queries on screen are read again. */
export function useStale(): <C extends Command>(command: C, ...about: Parameters<(typeof stale)[C]>) => Promise<void> {
	const queries = useQueryClient();
	return useCallback(
		async (command, ...about) => {
			const keys = (stale[command] as (...about: unknown[]) => readonly QueryKey[])(...about);
			// Requests to a site can take long, so the caller does not wait for them.
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
