import type {
	AcceptanceLine,
	BackupPlan,
	PlanForm,
	PlanId,
	PlanPart,
	PlanView,
	Problem,
	RestoreStep,
	Schedule,
	SetPart,
	SetView,
	SiteId,
} from "../bindings";
import type { Doings } from "./answer";
import { found, wrong } from "./problems";
import { practiceSiteId, siteIn, type World } from "./world";

const day = 86_400_000;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** Returns the next runs. Changes to daylight saving time are ignored. */
function nextOf({ days, times }: Schedule): number[] {
	const midnight = new Date().setHours(0, 0, 0, 0);
	const all = [...Array(22).keys()].flatMap((place) => {
		const date = new Date(midnight + place * day);
		if (!days.includes(weekdays[date.getDay()] as (typeof weekdays)[number])) return [];
		return times.map(({ hour, minute }) => new Date(date).setHours(hour, minute, 0, 0));
	});
	return all
		.filter((at) => at > Date.now())
		.toSorted((one, other) => one - other)
		.slice(0, 3);
}

/** Returns the first empty field of a portal part, in the order of the form. */
function missing({ location, store }: Extract<PlanPart, { kind: "portal" }>): string | null {
	const fields = { ...store, location };
	const order = ["bucket", "region", "container", "accountEndpoint", "accountName", "location"] as const;
	return order.find((field) => (fields as Partial<Record<typeof field, string>>)[field]?.trim() === "") ?? null;
}

/** Form checks that tests of the window need, in the order of the backend. */
function checked(world: World, form: PlanForm): void {
	const site = siteIn(world, form.site);
	if (form.name.trim() === "") throw wrong("name", "required");
	const isSame = ({ plan }: PlanView) =>
		plan.id !== form.id && plan.site === form.site && plan.name.toLowerCase() === form.name.trim().toLowerCase();
	if (world.plans.some(isSame)) throw wrong("name", "nameTaken");
	if (!form.isEnabled) return;
	if (form.parts.length === 0) throw wrong("parts", "required");
	for (const [place, part] of form.parts.entries()) {
		const isThere = part.kind === "portal" ? site.portal !== null : site.servers.some(({ id }) => id === part.server);
		if (!isThere) throw wrong("parts", "notAllowed");
		const empty = part.kind === "portal" ? missing(part) : null;
		if (empty) throw wrong(`parts.${place}.${empty}`, "required");
	}
	if (form.folder === "") throw wrong("folder", "required");
	if (form.schedule.days.length === 0) throw wrong("schedule.days", "required");
	if (form.schedule.times.length === 0) throw wrong("schedule.times", "required");
	const isBlob = form.parts.some((part) => part.kind === "portal" && part.store?.kind === "blob");
	if (isBlob && form.accountKey === null && !world.accountKeys.has(form.id ?? ""))
		throw wrong("accountKey", "required");
	const isNotMet = world.acceptance.some(({ state }) => state === "notMet");
	if (isNotMet) throw { kind: "planNotAccepted" } satisfies Problem;
}

/** Returns the acceptance list. `acceptance` contains the lines that are not met; everything else is met. */
function acceptanceOf(world: World, form: PlanForm): AcceptanceLine[] {
	const site = siteIn(world, form.site);
	const parts = form.parts.map((part) => (part.kind === "portal" ? null : part.server));
	const met = (about: AcceptanceLine["about"]): AcceptanceLine => ({ state: "met", about, remedy: null });
	const hasSession = world.acceptance.some(({ about }) => about.kind === "session");
	const session = met({ kind: "session", parts, session: { kind: "password" } });
	return [
		...(hasSession || parts.length === 0 ? [] : [session]),
		...world.acceptance,
		...(form.folder === "" ? [] : [met({ kind: "folder", fault: null })]),
		met({
			kind: "onlyExports",
			isReadOnly: site.readOnly,
			keepsPortalFiles: parts.includes(null),
			keepsUploads: !form.deleteStored,
		}),
	];
}

function setsOf(world: World, plan: PlanId): SetView[] {
	return world.planSets.get(plan) ?? [];
}

export const setIn = (world: World, plan: PlanId, name: string) =>
	found(setsOf(world, plan), (one) => one.name === name, `set ${name}`);

const planSets = (sets: SetView[]) => ({
	sets,
	strange: [],
	nothing: null,
	size: sets.reduce((all, { size }) => all + size, 0),
	free: 1_800_000_000_000,
	fullAt: null,
});

/** Services of every server in a backup set. */
const services = ["Parcels/Zoning.MapServer", "Zoning/Draft.FeatureServer", "Water/Mains.FeatureServer"];

/**
 * Returns a step of a restore with the newest import of its part since the restore started. Only imports of portals
 * record which file they used.
 */
export function stepOf(world: World, { server, name, state, files }: SetPart, begun: number | null): RestoreStep {
	const operation = server === null ? "import_portal" : "import_server";
	const file = files.find((one) => one.name.endsWith(".agssite"));
	const isVerified = state.kind === "verifiedHere";
	const isUsable = isVerified || state.kind === "onSite" || state.kind === "unrecognized";
	const copy: RestoreStep["copy"] = !isUsable
		? { kind: "none", why: "notInSet" }
		: server === null
			? { kind: "onPortal", location: "D:\\portal-exports\\City.portalsite", size: null, isVerified }
			: file
				? { kind: "here", name: file.name, size: file.size, isVerified }
				: { kind: "none", why: "notHere" };
	const newest = world.history.find(
		(entry) => entry.operation === operation && entry.server === server && begun !== null && entry.startedAt >= begun,
	);
	if (!newest) return { server, name, copy, otherVersion: null, import: null };
	const location = newest.parameters.find((one) => one.name === "location")?.value;
	const isOther = copy.kind === "onPortal" && location !== copy.location;
	const { id: record, outcome, endedAt, startedAt } = newest;
	const at = endedAt ?? startedAt;
	const imported = { record, outcome, at, began: startedAt, file: isOther ? "other" : "ofSet" } as const;
	return { server, name, copy, otherVersion: null, import: imported };
}

/** Backup plans. They never run here. */
export function planning(world: World) {
	return {
		listPlans: (id: SiteId) => {
			siteIn(world, id);
			const plans = world.plans.filter(({ plan }) => plan.site === id);
			return {
				plans: plans.toSorted((one, other) => one.plan.name.localeCompare(other.plan.name)),
				lastStart: world.lastPlanStart,
			};
		},
		savePlan: (form) => {
			checked(world, form);
			const before = world.plans.find(({ plan }) => plan.id === form.id);
			const { accountKey, ...filled } = form;
			const plan: BackupPlan = {
				...filled,
				name: form.name.trim(),
				id: form.id ?? `plan-${world.plans.length + 1}`,
				since: Date.now(),
				enabledSince: Date.now(),
				paused: form.isEnabled ? null : (before?.plan.paused ?? { since: Date.now(), by: "ana" }),
			};
			if (accountKey !== null) world.accountKeys.add(plan.id);
			const hasSchedule = form.site !== practiceSiteId;
			const state: PlanView["state"] = before && before.state.kind !== "paused" ? before.state : { kind: "new" };
			const view: PlanView = {
				plan,
				state: form.isEnabled ? state : { kind: "paused" },
				next: form.isEnabled && hasSchedule ? nextOf(form.schedule) : [],
				hasSchedule,
				last: before?.last ?? null,
				verified: before?.verified ?? null,
				rehearsed: before?.rehearsed ?? null,
			};
			world.plans = [...world.plans.filter((one) => one !== before), view];
			return plan;
		},
		planRunner: () => ({ running: world.runningPlan, registration: world.registration }),
		runPlanNow: (id) => {
			found(world.plans, ({ plan }) => plan.id === id, `plan ${id}`);
			world.runningPlan = { plan: id, began: Date.now(), part: null, isStopping: false };
			return null;
		},
		stopPlanRun: () => {
			if (world.runningPlan) world.runningPlan = { ...world.runningPlan, isStopping: true };
			return null;
		},
		planTroubles: () =>
			world.plans.flatMap(({ plan, state }) => {
				if (state.kind !== "needsYou" && state.kind !== "didNotRun") return [];
				const { since } = state;
				const hasSite = state.kind === "didNotRun" || state.reason.kind !== "noSite";
				if (hasSite && world.seenPlans.get(plan.id) === since) return [];
				return [{ site: plan.site, plan: plan.id, name: plan.name, folder: plan.folder, state, since }];
			}),
		markPlanSeen: (plan, since) => {
			world.seenPlans.set(plan, since);
		},
		deletePlan: (id) => {
			world.plans = world.plans.filter(({ plan }) => plan.id !== id);
			return null;
		},
		nextRuns: (schedule) => ({ runs: nextOf(schedule), moved: null }),
		planAcceptance: (form) => acceptanceOf(world, form),
		previewPlan: ({ id, folder }) => planSets(id === null || folder === "" ? [] : setsOf(world, id)),
		planSets: (id) => planSets(setsOf(world, id)),
		pinSet: (plan, name, isPinned) => {
			setIn(world, plan, name).set.isPinned = isPinned;
			return null;
		},
		showSet: (plan, name) => {
			setIn(world, plan, name);
			return null;
		},
		setInventories: (plan, name) =>
			setIn(world, plan, name).set.parts.map(({ server, files }) => {
				if (files.length === 0) return { kind: "none" as const };
				if (server === null) return { kind: "portal" as const, inventory: world.portalInventory };
				return { kind: "server" as const, version: "11.3", services: 3, webhooks: 2, dataItems: 4, missing: [] };
			}),
		setTrail: (plan, name) => {
			const { ended } = setIn(world, plan, name).set;
			const entry = ended === null ? null : { number: 4_812, sha256: "c".repeat(64) };
			return { accounts: ["gisadmin"], entry, alerts: world.setAlerts };
		},
		setServices: (plan, name, server) => {
			setIn(world, plan, name);
			const others = setsOf(world, plan).length - 1;
			return {
				services: services.map((path, place) => ({ path, state: "STARTED", others: place === 1 ? 0 : others })),
				otherSets: server === "" ? 0 : others,
			};
		},
		setFileForImport: (plan, name, server) => {
			const { folder, set } = setIn(world, plan, name);
			const part = found(set.parts, (one: SetPart) => one.server === server, `part ${server}`);
			const file = found(part.files, (one) => one.name.endsWith(".agssite"), "file");
			const path = `${folder}/${file.name}`;
			world.droppedFiles.add(path);
			return { path, name: file.name, kind: "siteFile" as const };
		},
		siteRestore: (plan, name) => {
			const { set } = setIn(world, plan, name);
			const restore = world.restores.get(plan);
			const begun = restore?.set === name ? restore.at : null;
			const inOrder = set.parts.toSorted((one, other) => Number(one.server !== null) - Number(other.server !== null));
			return { begun, steps: inOrder.map((part) => stepOf(world, part, begun)) };
		},
		beginRestore: (plan, set) => {
			if (world.restores.get(plan)?.set !== set) world.restores.set(plan, { set, at: Date.now() });
		},
		endRestore: (plan) => {
			world.restores.delete(plan);
		},
		searchSets: (site, words) => {
			if (words.trim() === "") throw wrong("words", "required");
			const inPlans = world.plans.filter(({ plan }) => plan.site === site);
			const sets = inPlans.flatMap(({ plan }) => setsOf(world, plan.id).map((view) => ({ plan, view })));
			const newestFirst = sets.toSorted((one, other) => other.view.set.started - one.view.set.started);
			const paths = services.filter((path) => path.toLowerCase().includes(words.toLowerCase()));
			const nameOf = ({ plan, view: { name, set } }: (typeof sets)[number]) => ({
				plan: plan.id,
				planName: plan.name,
				name,
				started: set.started,
			});
			const searched = newestFirst.map((one) => {
				const here = one.view.set.parts.filter(({ server, files }) => server !== null && files.length > 0);
				return {
					set: nameOf(one),
					servers: here.flatMap(({ server, name }) =>
						server === null ? [] : [{ server, name, paths, count: paths.length }],
					),
				};
			});
			return {
				searched: searched.flatMap(({ servers }) => servers).length,
				found: paths.length === 0 ? [] : searched.filter(({ servers }) => servers.length > 0),
				unsearched: world.unsearched,
				unread: [],
			};
		},
	} satisfies Partial<Doings>;
}
