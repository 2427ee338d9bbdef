import type { GuidedTourStep, GuidedTourView, PracticeUser, PracticeView } from "../bindings";
import type { Doings } from "./answer";
import { found, unexpected } from "./problems";
import { content } from "./samples";
import { enterAs } from "./sessions";
import {
	practiceExports,
	practiceFingerprint,
	practiceFolder,
	practiceSite,
	practiceSiteId,
	siteIn,
	type World,
} from "./world";

const users: PracticeUser[] = [
	{ username: "practice-admin", role: "administrator" },
	{ username: "practice-publisher", role: "publisher" },
	{ username: "practice-viewer", role: "viewer" },
];

/** Practice site with its simulated faults and the guided tour. */
export function practising(world: World) {
	const view = (): PracticeView => ({
		site: siteIn(world, practiceSiteId),
		fingerprint: practiceFingerprint,
		users,
		dataFolder: practiceFolder,
		exportFolder: practiceExports,
		acceptsSiteFiles: world.practiceAcceptsSiteFiles,
	});
	const userOf = (name: string) => found(users, ({ username }) => username === name, `practice user ${name}`);

	function tour(changes: Partial<World["guidedTour"]>): GuidedTourView {
		world.guidedTour = { ...world.guidedTour, ...changes };
		return tourOf(world);
	}

	return {
		startPractice: () => {
			world.practiceRunning = true;
			if (!world.sites.some((site) => site.id === practiceSiteId)) {
				world.sites = [...world.sites, practiceSite()];
				world.guidedTour.begun = Date.now();
			}
			return view();
		},
		startPracticeTest: () => {
			const site = { ...practiceSite(), id: "practice-test", name: "Practice test site", environment: "test" as const };
			if (!world.sites.some(({ id }) => id === site.id)) world.sites = [...world.sites, site];
			return enterAs(world, siteIn(world, site.id), "practice-admin", "administrator");
		},
		practice: () => (world.practiceRunning ? view() : null),
		signInToPractice: (username) => {
			const user = userOf(username);
			return enterAs(world, siteIn(world, practiceSiteId), user.username, user.role);
		},
		practicePassword: (username) => `throw-away-${userOf(username).username}`,
		damagePracticeSet: () => {
			const plan = world.plans.find((one) => one.plan.site === practiceSite().id)?.plan.id ?? "";
			const [set] = world.planSets.get(plan) ?? [];
			return set === undefined ? null : `${set.folder}/server.agssite`;
		},
		acceptSiteFiles: (accept) => {
			if (!world.practiceRunning) throw unexpected("the practice site is not running");
			world.practiceAcceptsSiteFiles = accept;
			return view();
		},
		stopPractice: () => {
			world.practiceRunning = false;
			world.activeFaults = [];
		},

		listFaults: () => world.activeFaults,
		addFault: (rule) => {
			if (!world.practiceRunning) throw unexpected("the practice site is not running");
			world.activeFaults.push(rule);
			return world.activeFaults;
		},
		clearFaults: () => {
			world.activeFaults = [];
			return world.activeFaults;
		},
		resetPractice: () => {
			world.activeFaults = [];
			world.practiceAcceptsSiteFiles = false;
			world.practiceRunning = true;
			world.sessions.delete(practiceSiteId);
			world.itemValidations.delete(practiceSiteId);
			world.dataUse.delete(practiceSiteId);
			return view();
		},
		guidedTour: () => tourOf(world),
		startTour: () => tour({ begun: Date.now(), folded: false, seen: [] }),
		endTour: () => tour({ begun: null, folded: false, seen: [] }),
		collapseTour: (folded) => tour({ folded }),
	} satisfies Partial<Doings>;
}

/** Returns the progress of the guided tour: a test puts the steps that are done into the world. */
function tourOf(world: World): GuidedTourView {
	const { begun, folded, seen } = world.guidedTour;
	const steps = content().tour as Omit<GuidedTourView["steps"][number], "done">[];
	const isDone = (step: GuidedTourStep) => begun !== null && seen.includes(step);
	return { begun, folded, steps: steps.map((one) => ({ ...one, done: isDone(one.step) })) };
}
