import { isPartialCheck } from "@/lib/service-state";
import type {
	CheckedSession,
	ComponentFacts,
	Concern,
	ConcernTone,
	Recoverability,
	RecoverablePart,
	ServiceCheck,
	SiteId,
	SiteOverview,
	SiteView,
} from "../bindings";
import type { Doings } from "./answer";
import { asCompared } from "./webhooks";
import { siteIn, type World } from "./world";

const neverChecked = { value: null, checkedAt: null, failedAt: null };
const tones: readonly ConcernTone[] = ["failed", "unknown", "warnings"];

export const overviews = (world: World) =>
	({
		siteOverview: (id) => overviewOf(world, siteIn(world, id)),
		allOverviews: () =>
			world.sites.map((site) => {
				const { concerns, recoverable, checkedAt, isChecked } = overviewOf(world, site);
				return {
					site: site.id,
					worst: concerns[0] ?? null,
					more: Math.max(0, concerns.length - 1),
					checkedAt,
					isChecked,
					recoverable,
					expires: world.expires.filter((expiry) => expiry.site === site.id),
					expiryGaps: world.expiryGaps.filter((gap) => gap.site === site.id).length,
				};
			}),
		checkSite: (id) => {
			if (!world.sessions.has(id)) return [];
			const failed = world.checkFailures;
			const { components } = overviewOf(world, siteIn(world, id));
			const now = Date.now();
			const username = world.sessions.get(id)?.username ?? null;
			const session: CheckedSession = { username, expiresAt: world.sessions.get(id)?.expiresAt ?? null, since: now };
			const checked = <T>(value: T) => ({ value, checkedAt: now, failedAt: null });
			world.checks.set(
				id,
				components.map((facts) => {
					if (failed.some(({ server }) => server === facts.server)) {
						const isFailed = <T extends object>(fact: T) => ({ ...fact, failedAt: now });
						return { ...facts, version: isFailed(facts.version), services: isFailed(facts.services) };
					}
					return {
						...facts,
						version: checked("11.3"),
						session: checked(session),
						services: facts.server === null ? neverChecked : checked(world.serviceCheck),
					};
				}),
			);
			return failed;
		},
	}) satisfies Partial<Doings>;

function overviewOf(world: World, site: SiteView): SiteOverview {
	const checks = world.checks.get(site.id) ?? [];
	const of = (server: ComponentFacts["server"]): ComponentFacts => ({
		server,
		version: neverChecked,
		services: neverChecked,
		session: neverChecked,
		...checks.find((one) => one.server === server),
		hasExports: site.deploymentType !== "kubernetes" && site.deploymentType !== "online",
		expectedBy: null,
		exports: server === null ? null : world.exportState,
	});
	const portal = site.portal === null ? [] : [of(null)];
	const servers = site.servers.map(({ id }) => of(id));
	const components = [...portal, ...servers];
	// A portal has no services, so the check of its version counts.
	const facts = components.map(({ server, services, version }) => (server === null ? version : services));
	const last = Math.max(0, ...facts.map(({ checkedAt }) => checkedAt ?? 0));
	return {
		concerns: concernsOf(world, site, components),
		components,
		expires: world.expires.filter((expiry) => expiry.site === site.id && expiry.days > 7),
		expiryGaps: world.expiryGaps.filter((gap) => gap.site === site.id),
		recoverable: world.recoverable ?? recoverableOf(world, components),
		checkedAt: last === 0 ? null : last,
		isChecked: facts.every(({ value, failedAt }) => value !== null && isWhole(value) && failedAt === null),
	};
}

/** Returns the recoverability of a site according to its exports; its time is never known. */
function recoverableOf(world: World, components: readonly ComponentFacts[]): Recoverability {
	const parts = components.map(({ server, exports }): RecoverablePart => {
		const last = world.exported[server === null ? "portal" : "server"];
		const at = exports?.verified ?? last;
		const kind = exports?.verified ? "versionNotKnown" : at === null ? "never" : "notVerified";
		return { server, state: { kind }, at, version: "", place: null, hasWarnings: false };
	});
	return {
		to: { kind: parts.some(({ state }) => state.kind === "never") ? "no" : "notKnown" },
		parts,
		dataStores: { kind: "notKnown", why: { kind: "notChecked" } },
		rehearsed: null,
	};
}

/** Whether every service was listed with its state; always true for the version of a portal. */
function isWhole(fact: ServiceCheck | string): boolean {
	return typeof fact === "string" || !isPartialCheck(fact);
}

/** Returns the concerns of a site, the worst first. */
function concernsOf(world: World, site: SiteView, components: readonly ComponentFacts[]): Concern[] {
	const concerns = [
		...records(world, site.id),
		...components.flatMap(({ server, services: { value, checkedAt } }): Concern[] => {
			if (value === null || checkedAt === null || value.notRunning.length === 0) return [];
			const about = {
				kind: "services",
				count: value.notRunning.length,
				services: value.notRunning,
				checkedAt,
			} as const;
			return [{ tone: "failed", server, at: checkedAt, about }];
		}),
		...webhooks(world, site),
		...plans(world, site.id),
		...unsaved(world, site.id),
		...expiries(world, site.id),
		...world.concerns,
	];
	return concerns.toSorted((one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone));
}

function records(world: World, site: SiteId): Concern[] {
	const entries = world.history.filter((entry) => entry.site === site && !entry.isResolved);
	const isSolved = (at: number, operation: string) =>
		entries
			.slice(0, at)
			.some(
				(later) => later.operation === operation && (later.outcome === "succeeded" || later.outcome === "warnings"),
			);
	return entries.flatMap((entry, at): Concern[] => {
		const { outcome, server, startedAt } = entry;
		if (outcome !== "unknown" && (outcome !== "failed" || isSolved(at, entry.operation))) return [];
		return [{ tone: outcome, server, at: startedAt, about: { kind: "record", entry, others: 0 } }];
	});
}

function webhooks(world: World, site: SiteView): Concern[] {
	const open = world.deactivations
		.filter((entry) => entry.site === site.id && entry.resolvedAt === null)
		.map((entry) => asCompared(world, entry))
		.filter(({ left }) => left?.length !== 0);
	const servers = [...new Set(open.map(({ server }) => server ?? site.currentServer))];
	return servers.flatMap((server): Concern[] => {
		const there = open.filter((entry) => (entry.server ?? site.currentServer) === server);
		const last = there[0];
		if (!last) return [];
		const about = {
			kind: "webhooks",
			services: [...new Set(there.map(({ service }) => service))].toSorted(),
			webhooks: there.flatMap(({ left }) => left?.map(({ name }) => name) ?? []),
			isUncertain: there.some(({ known }) => !known),
			by: last.by,
			why: last.why,
			checkedAt: null,
		} as const;
		return [{ tone: "warnings", server, at: last.deactivatedAt, about }];
	});
}

function plans(world: World, site: SiteId): Concern[] {
	return world.plans.flatMap(({ plan, state }): Concern[] => {
		if (plan.site !== site || (state.kind !== "needsYou" && state.kind !== "didNotRun")) return [];
		const about = { kind: "plan", plan: plan.id, name: plan.name, state } as const;
		return [{ tone: "failed", server: null, at: state.since, about }];
	});
}

function expiries(world: World, site: SiteId): Concern[] {
	return world.expires
		.filter((expiry) => expiry.site === site && expiry.days <= 7)
		.map((expiry) => ({
			tone: expiry.isOver ? "failed" : "warnings",
			server: expiry.server,
			at: expiry.at,
			about: { kind: "expires", expiry },
		}));
}

function unsaved(world: World, site: SiteId): Concern[] {
	const kept = world.keptInvitations.filter((one) => one.site === site);
	if (kept.length === 0) return [];
	const at = Math.max(...kept.map(({ refreshedAt }) => refreshedAt));
	return [{ tone: "warnings", server: null, at, about: { kind: "unsavedInvitations", count: kept.length } }];
}
