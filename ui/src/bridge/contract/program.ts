import { serverOf } from "@/lib/target";
import { form, practice, run, userOf } from "./given";
import { has, ok, refuses, type Situation } from "./situation";

const rule = { fault: "delay", target: "export_portal", times: 2, seconds: 3, after: false } as const;

/** The app itself: practice site, guided tour, preferences, links, and updates. */
export const program: Situation[] = [
	{
		name: "the practice site is there while it runs, with its users",
		play: async (backend) => {
			has(await backend.practice(), null);
			const started = await backend.startPractice();
			has(started.site, { id: "practice", name: "Practice", environment: "practice", username: null });
			has(await backend.practice(), { site: { id: "practice" }, exportFolder: started.exportFolder });
			for (const role of ["administrator", "publisher", "viewer"]) userOf(started, role);
			await refuses(backend.signInToPractice("nobody"), { kind: "unexpected" });
			await backend.stopPractice();
			has(await backend.practice(), null);
			has((await backend.listSites()).length, 1);
		},
	},
	{
		name: "a practice site that does not run cannot be reached, and its session goes on when it is started again",
		play: async (backend) => {
			const { site } = await practice(backend);
			await backend.stopPractice();
			await refuses(backend.listServices(serverOf(site)), { kind: "unreachable" });
			await refuses(backend.session(serverOf(site)), { kind: "unreachable" });
			await backend.startPractice();
			has(await backend.session(serverOf(site)), { username: site.username });
		},
	},
	{
		name: "a reset signs out of the practice site",
		play: async (backend) => {
			const { site } = await practice(backend);
			await backend.resetPractice();
			has(await backend.session(serverOf(site)), null);
		},
	},
	{
		name: "faults are listed in the order in which they were added, until they are cleared",
		play: async (backend) => {
			await refuses(backend.addFault(rule), { kind: "unexpected" });
			await backend.startPractice();
			const other = { ...rule, fault: "html", target: "find_items", times: 1 } as const;
			await backend.addFault(rule);
			has(await backend.addFault(other), [rule, other]);
			has(await backend.listFaults(), [rule, other]);
			has(await backend.clearFaults(), []);
			has(await backend.listFaults(), []);
		},
	},
	{
		name: "the guided tour begins with the first start of the practice site, and has its steps",
		play: async (backend) => {
			has(await backend.guidedTour(), { begun: null });
			await practice(backend);
			const begun = await backend.guidedTour();
			ok(begun.begun !== null, "the tour has not begun");
			has(begun.steps.filter(({ optional }) => !optional).length, 9);
			has(
				begun.steps.filter(({ optional }) => optional).map(({ step }) => step),
				[
					"importPortal",
					"checkPortal",
					"checkWholeSite",
					"undoPortalImport",
					"findExpiring",
					"seeRecoverable",
					"takeSnapshot",
					"simulateChanges",
					"findChange",
					"acceptChange",
					"compareSites",
					"beginRehearsal",
					"endRehearsal",
					"putBack",
				],
			);
			has(
				begun.steps.filter(({ done }) => done),
				[],
			);
			has(await backend.collapseTour(true), { folded: true });
			const again = await backend.startTour();
			has(
				again.steps.filter(({ done }) => done),
				[],
			);
			has(again.folded, false);
			has(await backend.endTour(), { begun: null });
		},
	},
	{
		name: "the guided tour sees what is done",
		isAppOnly: true,
		play: async (backend) => {
			const { site, exportFolder } = await practice(backend);
			await backend.exportServer(serverOf(site), run(), { place: { kind: "serverFolder", location: exportFolder } });
			await backend.addFault({ ...rule, fault: "serviceWillNotStart", target: "import_server" });
			const { steps } = await backend.guidedTour();
			has(
				steps.filter(({ done }) => done).map(({ step }) => step),
				["exportServer", "addFault"],
			);
		},
	},
	{
		name: "saved preferences come back, and a zoom within its limits",
		play: async (backend) => {
			const { preferences: before } = await backend.preferences();
			const wanted = { ...before, reminders: !before.reminders, zoom: 900 };
			has(await backend.savePreferences(wanted, null), { reminders: !before.reminders, zoom: 200 });
			has((await backend.preferences()).preferences, { reminders: !before.reminders, zoom: 200 });
			await backend.savePreferences(before, null);
		},
	},
	{
		name: "a proxy without an address names the field, and nothing is saved",
		isAppOnly: true,
		play: async (backend) => {
			const { preferences: before } = await backend.preferences();
			const route = { kind: "proxy" as const, address: "proxy", user: "", exceptions: [] };
			const connection = { ...before.connection, route };
			await refuses(backend.savePreferences({ ...before, connection }, null), {
				kind: "form",
				field: "connection.route.address",
				fault: "notAnAddress",
			});
			has((await backend.preferences()).preferences, before);
		},
	},
	{
		name: "a pasted text that is no address names the field",
		play: async (backend) => {
			const { connection } = form();
			const wrong = (fault: string) => ({ kind: "form", field: "pasted", fault });
			await refuses(backend.findSite(null, " ", connection), wrong("required"));
			await refuses(backend.findSite(null, "two words", connection), wrong("notAnAddress"));
		},
	},
	{
		name: "only a link to the site's own hosts is opened",
		isAppOnly: true,
		play: async (backend) => {
			const { id } = await backend.saveSite(form());
			await refuses(backend.openLink(id, "https://elsewhere.example.org/page"), { kind: "unexpected" });
		},
	},
	{
		name: "diagnostics name each check once, problems first, and the clock of a site",
		play: async (backend) => {
			await refuses(backend.runDiagnostics("nowhere"), { kind: "unexpected" });
			const { findings, text } = await backend.runDiagnostics(null);
			const checks = ["dialogs", "disk", "journal", "keyring", "logs", "policy", "program", "proxy", "roots"];
			has(findings.map(({ check }) => check).toSorted(), checks);
			const states = findings.map(({ state }) => ["trouble", "advice", "ok"].indexOf(state));
			has(states, states.toSorted());
			ok(
				findings.every(({ state, advice }) => (state === "ok") === (advice === null)),
				"a problem has no advice, or what is well has one",
			);
			const { version } = await backend.about();
			has(findings.find(({ check }) => check === "program")?.facts[0], { name: "version", value: { text: version } });
			ok(text.includes(version), "the text lacks the version");
			const { site } = await practice(backend);
			const ofSite = (await backend.runDiagnostics(site.id)).findings;
			has(ofSite.map(({ check }) => check).toSorted(), ["clock", ...checks]);
		},
	},
	{
		name: "the update is as it was found when it was checked for, and there is no download to stop",
		play: async (backend) => {
			const checked = await backend.checkForUpdate();
			has(await backend.updateState(), checked);
			await backend.stopUpdate();
			has(await backend.updateState(), checked);
		},
	},
	{
		name: "the app tells its version and its folders",
		play: async (backend) => {
			const about = await backend.about();
			ok(/^\d+\.\d+\.\d+/.test(about.version), about.version);
			ok(about.logFolder.startsWith(about.dataFolder), about.logFolder);
			has(await backend.takeOpenedFile(), null);
		},
	},
];
