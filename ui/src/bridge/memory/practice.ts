import type { FaultRule, FaultTarget, PracticeUser, PracticeView, Problem, SiteView } from "../bindings";
import type { Doings } from "./answer";
import { lapOf } from "./lap";
import { enterAs } from "./sessions";
import { isPractice, practiceExports, practiceFolder, practiceSite, practiceSiteId, siteIn, type World } from "./world";

/** The practice site, its mishaps and the guided lap. */
export function practising(world: World) {
	function view(): PracticeView {
		return {
			site: siteIn(world, practiceSiteId),
			users: world.practiceUsers,
			dataFolder: practiceFolder,
			exportFolder: practiceExports,
		};
	}

	function userOf(username: string): PracticeUser {
		const user = world.practiceUsers.find((one) => one.username === username);
		if (!user) throw { kind: "unexpected", message: `no practice user ${username}` } satisfies Problem;
		return user;
	}

	return {
		startPractice: () => {
			world.practiceRunning = true;
			if (!world.sites.some((site) => site.id === practiceSiteId)) {
				world.sites = [...world.sites, practiceSite()];
				world.lap.begun = Date.now();
			}
			return view();
		},
		practice: () => (world.practiceRunning ? view() : null),
		signInToPractice: (username) => {
			const user = userOf(username);
			return enterAs(world, siteIn(world, practiceSiteId), user.username, user.role);
		},
		practicePassword: (username) => `throw-away-${userOf(username).username}`,
		stopPractice: () => {
			world.practiceRunning = false;
			world.mishaps = [];
		},

		listFaults: () => world.mishaps,
		addFault: (rule) => {
			if (!world.practiceRunning) {
				throw { kind: "unexpected", message: "the practice site is not running" } satisfies Problem;
			}
			world.mishaps.push(rule);
			if (rule.fault === "serviceWillNotStart") world.lap.seen.push("addFault");
			return world.mishaps;
		},
		clearFaults: () => {
			world.mishaps = [];
			return world.mishaps;
		},
		resetPractice: () => {
			world.mishaps = [];
			world.practiceRunning = true;
			world.sessions.delete(practiceSiteId);
			return view();
		},
		guidedTour: () => lapOf(world),
		startTour: () => {
			world.lap = { begun: Date.now(), folded: false, seen: [] };
			return lapOf(world);
		},
		endTour: () => {
			world.lap = { begun: null, folded: false, seen: [] };
			return lapOf(world);
		},
		collapseTour: (folded) => {
			world.lap.folded = folded;
			return lapOf(world);
		},
	} satisfies Partial<Doings>;
}

/** Takes the fault that befalls the next request of an operation. */
export function nextFault(world: World, site: SiteView, target: FaultTarget): FaultRule | null {
	const rule = isPractice(site) ? world.mishaps.find((one) => one.target === target) : undefined;
	if (!rule) return null;
	rule.times -= 1;
	world.mishaps = world.mishaps.filter(({ times }) => times > 0);
	return rule;
}
