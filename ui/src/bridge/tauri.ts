import type { Backend } from "./backend";
import type { RunView } from "./bindings";
import * as bindings from "./bindings";
import { asProblem } from "./problem";

type Answer<T> = { status: "ok"; data: T } | { status: "error"; error: unknown };

/** One generated command per call of the contract, under the same name and with the same arguments. */
type Commands = {
	[Call in Exclude<keyof Backend, "onRuns">]: (
		...form: Parameters<Backend[Call]>
	) => Promise<Answer<Awaited<ReturnType<Backend[Call]>>>>;
};

interface Events {
	runsChanged: { listen: (listener: (event: { payload: RunView[] }) => void) => Promise<() => void> };
}

const { commands, events } = bindings as unknown as { commands: Commands; events: Events };

async function ask<T>(asked: Promise<Answer<T>>): Promise<T> {
	let answer: Answer<T>;
	try {
		answer = await asked;
	} catch (thrown) {
		throw asProblem(thrown);
	}
	if (answer.status === "error") throw asProblem(answer.error);
	return answer.data;
}

/** The real program. */
export function tauriBackend(): Backend {
	return {
		listSites: () => ask(commands.listSites()),
		saveSite: (form) => ask(commands.saveSite(form)),
		removeSite: (site) => ask(commands.removeSite(site)),

		signIn: (site, form) => ask(commands.signIn(site, form)),
		session: (site) => ask(commands.session(site)),
		signOut: (site) => ask(commands.signOut(site)),

		startPractice: () => ask(commands.startPractice()),
		practice: () => ask(commands.practice()),
		signInToPractice: (username) => ask(commands.signInToPractice(username)),
		stopPractice: () => ask(commands.stopPractice()),

		listServices: (site) => ask(commands.listServices(site)),
		listDataRoots: (site) => ask(commands.listDataRoots(site)),
		listUploads: (site) => ask(commands.listUploads(site)),
		listParticipants: (site) => ask(commands.listParticipants(site)),
		listInvitations: (site) => ask(commands.listInvitations(site)),
		chooseFolder: () => ask(commands.chooseFolder()),

		exportPortal: (site, run, form) => ask(commands.exportPortal(site, run, form)),
		exportServer: (site, run, form) => ask(commands.exportServer(site, run, form)),
		briefImport: (site) => ask(commands.briefImport(site)),
		importServer: (site, run, form) => ask(commands.importServer(site, run, form)),
		deactivateWebhooks: (site, run, form) => ask(commands.deactivateWebhooks(site, run, form)),
		findItems: (site, run, form) => ask(commands.findItems(site, run, form)),
		updateParticipant: (site, run, form) => ask(commands.updateParticipant(site, run, form)),
		refreshInvitation: (site, run, form) => ask(commands.refreshInvitation(site, run, form)),

		saveStoredExport: (site, run, location) => ask(commands.saveStoredExport(site, run, location)),
		saveInvitationAgain: (kept) => ask(commands.saveInvitationAgain(kept)),

		listRuns: () => ask(commands.listRuns()),
		stopRun: (run) => ask(commands.stopRun(run)),
		onRuns: (listener) => {
			const listening = events.runsChanged.listen(({ payload }) => listener(payload));
			// The listener is registered in the background; whoever leaves earlier unregisters it then.
			return () => void listening.then((stop) => stop());
		},

		listHistory: (site) => ask(commands.listHistory(site)),
		importReport: (record) => ask(commands.importReport(record)),
		saveReport: (record, format) => ask(commands.saveReport(record, format)),

		about: () => ask(commands.about()),
	};
}
