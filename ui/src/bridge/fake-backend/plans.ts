import type { BackupPlan, PlanId, PlanView, RestoreStep, Schedule, SetPart, SetView, SiteId } from "../bindings";
import type { Doings } from "./answer";
import { found } from "./problems";
import { practiceSiteId, siteIn, type World } from "./world";

/** Returns one run at each time of a schedule that has a day. */
const nextOf = ({ days, times }: Schedule): number[] =>
	days.length === 0 ? [] : times.map(({ hour, minute }) => new Date(2030, 0, 7, hour, minute).getTime());

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

/** Returns a step of a restore. Its import is the one that a test puts into the world. */
export function stepOf(world: World, { server, name, state, files }: SetPart): RestoreStep {
	const file = files.find((one) => one.name.endsWith(".agssite"));
	const isVerified = state.kind === "verifiedHere";
	const isUsable = isVerified || state.kind === "onSite" || state.kind === "unrecognized";
	const onPortal = {
		kind: "onPortal",
		location: "D:\\portal-exports\\City.portalsite",
		size: null,
		isVerified,
	} as const;
	const here = file ? ({ kind: "here", name: file.name, size: file.size, isVerified } as const) : null;
	const copy = isUsable ? (server === null ? onPortal : here) : null;
	return {
		server,
		name,
		copy: copy ?? { kind: "none", why: "notInSet" },
		otherVersion: null,
		import: world.restored.get(server) ?? null,
	};
}

/** Returns the parts of a set in the order in which they are imported: the portal first. */
export const inOrder = (parts: readonly SetPart[]) =>
	parts.toSorted((one, other) => Number(one.server !== null) - Number(other.server !== null));

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
			const before = world.plans.find(({ plan }) => plan.id === form.id);
			const { accountKey: _, ...filled } = form;
			const plan: BackupPlan = {
				...filled,
				name: form.name.trim(),
				id: form.id ?? `plan-${world.plans.length + 1}`,
				since: Date.now(),
				enabledSince: Date.now(),
				paused: form.isEnabled ? null : (before?.plan.paused ?? { since: Date.now(), by: "ana" }),
			};
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
		planAcceptance: () => world.acceptance,
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
			return { path, name: file.name, kind: "siteFile" as const };
		},
		siteRestore: (plan, name) => {
			const { set } = setIn(world, plan, name);
			const restore = world.restores.get(plan);
			const begun = restore?.set === name ? restore.at : null;
			const steps = inOrder(set.parts).map((part) => stepOf(world, part));
			return { begun, steps: begun === null ? steps.map((step) => ({ ...step, import: null })) : steps };
		},
		beginRestore: (plan, set) => {
			if (world.restores.get(plan)?.set !== set) world.restores.set(plan, { set, at: Date.now() });
		},
		endRestore: (plan) => {
			world.restores.delete(plan);
		},
		searchSets: () => world.setSearch,
	} satisfies Partial<Doings>;
}
