import type { Backend } from "../backend";
import type { PracticeView, Problem } from "../bindings";
import type { Answer } from "./answer";
import { lapOf } from "./lap";
import { enterAs } from "./sessions";
import { practiceExports, practiceFolder, practiceSite, practiceSiteId, siteIn, type World } from "./world";

type Practising = Pick<
	Backend,
	| "startPractice"
	| "practice"
	| "signInToPractice"
	| "practicePassword"
	| "stopPractice"
	| "listMishaps"
	| "orderMishap"
	| "clearMishaps"
	| "resetPractice"
	| "guidedLap"
	| "beginLap"
	| "endLap"
	| "foldLap"
>;

/** The practice site, its mishaps and the guided lap. */
export function practising(world: World, answer: Answer): Practising {
	function view(): PracticeView {
		return {
			site: siteIn(world, practiceSiteId),
			users: world.practiceUsers,
			dataFolder: practiceFolder,
			exportFolder: practiceExports,
		};
	}

	return {
		startPractice: () =>
			answer("startPractice", () => {
				world.practiceRunning = true;
				if (!world.sites.some((site) => site.id === practiceSiteId)) {
					world.sites = [...world.sites, practiceSite()];
					world.lap.begun = Date.now();
				}
				return view();
			}),
		practice: () => answer("practice", () => (world.practiceRunning ? view() : null)),
		signInToPractice: (username) =>
			answer("signInToPractice", () => {
				const user = world.practiceUsers.find((one) => one.username === username);
				if (!user) throw { kind: "unexpected", message: `no practice user ${username}` } satisfies Problem;
				return enterAs(world, siteIn(world, practiceSiteId), user.username, user.role);
			}),
		practicePassword: (username) => answer("practicePassword", () => `throw-away-${username}`),
		stopPractice: () =>
			answer("stopPractice", () => {
				world.practiceRunning = false;
				world.sessions.delete(practiceSiteId);
			}),

		listMishaps: () => answer("listMishaps", () => world.mishaps),
		orderMishap: (order) =>
			answer("orderMishap", () => {
				if (!world.practiceRunning) {
					throw { kind: "unexpected", message: "the practice site is not running" } satisfies Problem;
				}
				world.mishaps.push(order);
				if (order.mishap === "serviceWillNotStart") world.lap.seen.push("orderMishap");
				return world.mishaps;
			}),
		clearMishaps: () =>
			answer("clearMishaps", () => {
				world.mishaps = [];
				return world.mishaps;
			}),
		resetPractice: () =>
			answer("resetPractice", () => {
				world.mishaps = [];
				world.practiceRunning = true;
				world.sessions.delete(practiceSiteId);
				return view();
			}),
		guidedLap: () => answer("guidedLap", () => lapOf(world)),
		beginLap: () =>
			answer("beginLap", () => {
				world.lap = { begun: Date.now(), folded: false, seen: [] };
				return lapOf(world);
			}),
		endLap: () =>
			answer("endLap", () => {
				world.lap = { begun: null, folded: false, seen: [] };
				return lapOf(world);
			}),
		foldLap: (folded) =>
			answer("foldLap", () => {
				world.lap.folded = folded;
				return lapOf(world);
			}),
	};
}
