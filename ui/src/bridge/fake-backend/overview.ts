import { isPartialCheck } from "@/lib/service-state";
import type {
	CheckedSession,
	ComponentFacts,
	Recoverability,
	RecoverablePart,
	ServiceCheck,
	SiteOverview,
	SiteView,
} from "../bindings";
import type { Doings } from "./answer";
import { siteIn, type World } from "./world";

const neverChecked = { value: null, checkedAt: null, failedAt: null };

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
		concerns: world.concerns,
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
