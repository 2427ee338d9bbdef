import { getCurrentWindow } from "@tauri-apps/api/window";
import type { Backend } from "./backend";
import { commands, events } from "./bindings";
import { asProblem } from "./problem";

type Answer<T> = { status: "ok"; data: T } | { status: "error"; error: unknown };

/** What a command answers; whatever is wrong comes out as a `Problem`. */
async function ask<T>(asked: Promise<Answer<T>>): Promise<T> {
	const answer = await orProblem(asked);
	if (answer.status === "error") throw asProblem(answer.error);
	return answer.data;
}

/** For commands that cannot fail by themselves: the framework between them and the window still can. */
async function orProblem<T>(asked: Promise<T>): Promise<T> {
	try {
		return await asked;
	} catch (thrown) {
		throw asProblem(thrown);
	}
}

/** For commands that answer nothing, which arrives as `null`. */
async function tell(asked: Promise<Answer<null>>): Promise<void> {
	await ask(asked);
}

/** A listener is registered in the background; whoever leaves earlier unregisters it then. */
function heard(listening: Promise<() => void>): () => void {
	return () => void listening.then((stop) => stop());
}

/** The real program. */
export function tauriBackend(): Backend {
	return {
		listSites: () => ask(commands.listSites()),
		saveSite: (form) => ask(commands.saveSite(form)),
		removeSite: (site, reason) => tell(commands.removeSite(site, reason)),
		orderSites: (order) => ask(commands.orderSites(order)),
		trustCertificate: (site, pin) => ask(commands.trustCertificate(site, pin)),
		confirmAddress: (site, address) => ask(commands.confirmAddress(site, address)),
		unlockSite: (site, reason) => ask(commands.unlockSite(site, reason)),
		lockSite: (site) => ask(commands.lockSite(site)),
		chooseServer: (site, server) => ask(commands.chooseServer(site, server)),
		findSite: (site, pasted, connection) => ask(commands.findSite(site, pasted, connection)),
		findServers: (site) => ask(commands.findServers(site)),
		saveProfiles: (sites) => ask(commands.saveProfiles(sites)),
		openProfiles: () => ask(commands.openProfiles()),
		addProfile: (profile, name, confirmed) => ask(commands.addProfile(profile, name, [...confirmed])),

		signIn: (site, server, form) => ask(commands.signIn(site, server, form)),
		signInInBrowser: (site) => ask(commands.signInInBrowser(site)),
		stopBrowserSignIn: (site) => orProblem(commands.stopBrowserSignIn(site)),
		signInWithToken: (site, server, pasted) => ask(commands.signInWithToken(site, server, pasted)),
		openSignInPage: (site) => tell(commands.openSignInPage(site)),
		signInWithCode: (site, pasted) => ask(commands.signInWithCode(site, pasted)),
		tokenOutlook: (site, operation) => ask(commands.tokenOutlook(site, operation)),
		session: (site) => ask(commands.session(site)),
		signOut: (site) => tell(commands.signOut(site)),

		startPractice: () => ask(commands.startPractice()),
		practice: () => ask(commands.practice()),
		signInToPractice: (username) => ask(commands.signInToPractice(username)),
		practicePassword: (username) => ask(commands.practicePassword(username)),
		stopPractice: () => tell(commands.stopPractice()),
		listMishaps: () => ask(commands.listMishaps()),
		orderMishap: (order) => ask(commands.orderMishap(order)),
		clearMishaps: () => ask(commands.clearMishaps()),
		resetPractice: () => ask(commands.resetPractice()),
		guidedLap: () => ask(commands.guidedLap()),
		beginLap: () => ask(commands.beginLap()),
		endLap: () => ask(commands.endLap()),
		foldLap: (folded) => ask(commands.foldLap(folded)),

		listServices: (site) => ask(commands.listServices(site)),
		listDataRoots: (site) => ask(commands.listDataRoots(site)),
		listUploads: (site) => ask(commands.listUploads(site)),
		listParticipants: (site) => ask(commands.listParticipants(site)),
		listInvitations: (site) => ask(commands.listInvitations(site)),
		readContactSheet: (site, path) => ask(commands.readContactSheet(site, path)),
		lastContactRun: (site) => orProblem(commands.lastContactRun(site)),
		saveContactTemplate: (site) => ask(commands.saveContactTemplate(site)),
		saveTable: (name, rows) => ask(commands.saveTable(name, rows)),
		chooseFolder: () => ask(commands.chooseFolder()),
		chooseFile: () => ask(commands.chooseFile()),

		exportPortal: (site, run, form) => ask(commands.exportPortal(site, run, form)),
		exportServer: (site, run, form) => ask(commands.exportServer(site, run, form)),
		briefImport: (site) => ask(commands.briefImport(site)),
		importServer: (site, run, form) => ask(commands.importServer(site, run, form)),
		deactivateWebhooks: (site, run, form) => ask(commands.deactivateWebhooks(site, run, form)),
		findItems: (site, run, form, first) => ask(commands.findItems(site, run, form, first)),
		lastItemSearch: (site) => orProblem(commands.lastItemSearch(site)),
		recentItemFilters: (site) => orProblem(commands.recentItemFilters(site)),
		itemRows: (site, search, query, from, most) => ask(commands.itemRows(site, search, query, from, most)),
		itemDetails: (site, search, item) => ask(commands.itemDetails(site, search, item)),
		revealItem: (site, search, item) => ask(commands.revealItem(site, search, item)),
		saveItems: (site, search, query, format) => ask(commands.saveItems(site, search, query, format)),
		updateParticipant: (site, run, form) => ask(commands.updateParticipant(site, run, form)),
		updateParticipants: (site, run, forms) => ask(commands.updateParticipants(site, run, forms)),
		refreshInvitation: (site, run, form) => ask(commands.refreshInvitation(site, run, form)),
		refreshInvitations: (site, run, forms) => ask(commands.refreshInvitations(site, run, forms)),

		undoImport: (site, run, record, confirmation) => ask(commands.undoImport(site, run, record, confirmation)),

		silenceLedger: (site) => ask(commands.silenceLedger(site)),
		restoreWebhooks: (site, run, entry) => ask(commands.restoreWebhooks(site, run, entry)),
		remindMe: (entry, at) => tell(commands.remindMe(entry, at)),
		settleSilence: (site, entry) => tell(commands.settleSilence(site, entry)),
		reminders: () => ask(commands.reminders()),

		saveStoredExport: (site, run, location) => ask(commands.saveStoredExport(site, run, location)),
		saveInvitationAgain: (kept) => ask(commands.saveInvitationAgain(kept)),
		listKeptInvitations: (site) => orProblem(commands.listKeptInvitations(site)),
		discardKeptInvitation: (kept) => orProblem(commands.discardKeptInvitation(kept)).then(() => {}),

		uploadForImport: (site, run, source) => ask(commands.uploadForImport(site, run, source)),
		listUnfinishedUploads: (site) => orProblem(commands.listUnfinishedUploads(site)),
		discardUpload: (site, item) => tell(commands.discardUpload(site, item)),

		listRuns: () => orProblem(commands.listRuns()),
		stopRun: (run) => orProblem(commands.stopRun(run)),
		listEndedRuns: () => orProblem(commands.listEndedRuns()),
		dismissRun: (run) => orProblem(commands.dismissRun(run)).then(() => {}),
		onRuns: (listener) => heard(events.runsChanged.listen(({ payload }) => listener(payload.runs, payload.ended))),

		searchHistory: (search, olderThan, limit) => ask(commands.searchHistory(search, olderThan, limit)),
		historyPeople: () => ask(commands.historyPeople()),
		saveHistory: (search, format) => ask(commands.saveHistory(search, format)),
		saveEvidence: (record) => ask(commands.saveEvidence(record)),
		recordAsCommand: (record, language) => ask(commands.recordAsCommand(record, language)),
		importReport: (record) => ask(commands.importReport(record)),
		checkOutcome: (record) => ask(commands.checkOutcome(record)),
		settleOutcome: (record, outcome, note) => tell(commands.settleOutcome(record, outcome, note)),
		settlement: (record) => ask(commands.settlement(record)),
		recordDetails: (record) => ask(commands.recordDetails(record)),
		ticks: (record) => ask(commands.ticks(record)),
		setTick: (record, item, done) => tell(commands.setTick(record, item, done)),
		showInFolder: (path) => tell(commands.showInFolder(path)),
		saveReport: (record, format) => ask(commands.saveReport(record, format)),

		preferences: () => orProblem(commands.preferences()),
		savePreferences: (preferences, proxyPassword) => ask(commands.savePreferences(preferences, proxyPassword)),
		windowReady: (language) => orProblem(commands.windowReady(language)).then(() => {}),
		windowUsable: () => orProblem(commands.windowUsable()).then(() => {}),
		onCloseAsked: (listener) => heard(events.closeAsked.listen(({ payload }) => listener(payload))),
		answerClose: (answer) => orProblem(commands.answerClose(answer)).then(() => {}),
		onFileDrag: (listener) => heard(events.fileDrag.listen(({ payload }) => listener(payload))),
		onFileOpened: (listener) => heard(events.fileOpened.listen(() => listener())),
		takeOpenedFile: () => orProblem(commands.takeOpenedFile()),
		onMenu: (listener) => heard(events.menuChosen.listen(({ payload }) => listener(payload.act))),
		openLink: (site, address) => tell(commands.openLink(site, address)),

		about: () => orProblem(commands.about()),
		showLogs: () => tell(commands.showLogs()),
		updateState: () => orProblem(commands.updateState()),
		onUpdate: (listener) => heard(events.updateMoved.listen(({ payload }) => listener(payload.now))),
		lookForUpdate: () => ask(commands.lookForUpdate()),
		installUpdate: (version) => ask(commands.installUpdate(version)),
		stopUpdate: () => orProblem(commands.stopUpdate()).then(() => {}),
		restartForUpdate: () => ask(commands.restartForUpdate()),
		examine: (site) => ask(commands.examine(site)),
		setTitle: (title) => orProblem(getCurrentWindow().setTitle(title)),
	};
}
