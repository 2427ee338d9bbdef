import type {
	DeactivationView,
	HistoryEntry,
	ReactivatedWebhook,
	ReactivatedWebhooks,
	ReactivationEnd,
	SiteView,
	WebhookDeliveries,
	WebhookOfService,
	WebhookView,
} from "../bindings";
import type { Doings } from "./answer";
import { oneByOne } from "./batch";
import { type Deeds, fine, parameters } from "./deeds";
import { preconditionFailed, refused, wrong } from "./problems";
import { siteIn, type World } from "./world";

function logged(
	world: World,
	{ id: record, server }: HistoryEntry,
	site: SiteView,
	service: string,
	why: string,
	active: readonly WebhookView[] | null,
): DeactivationView {
	const entry: DeactivationView = {
		id: `${record} ${service}`,
		site: site.id,
		server,
		record,
		service,
		deactivatedAt: Date.now(),
		by: site.username ?? "",
		why,
		known: true,
		active: active?.map(({ name }) => name) ?? null,
		activeIds: active?.map(({ id }) => id) ?? null,
		left: active?.map(({ id, name }) => ({ id, name })) ?? null,
		activeAgain: [],
		remindAt: null,
		resolvedAt: null,
		restoredBy: null,
		byHand: false,
	};
	world.deactivations.unshift(entry);
	return entry;
}

/**
 * Adds to an entry which webhooks are active and which are left, as of the last comparison. Webhooks of the same name
 * are counted separately.
 */
export function asCompared(world: World, entry: DeactivationView): DeactivationView {
	const activeAgain = entry.resolvedAt === null ? [...(world.activeAgain.get(entry.id) ?? [])] : [];
	const now = [...activeAgain];
	const left = entry.active?.flatMap((name, at) => {
		const found = now.indexOf(name);
		if (found >= 0) now.splice(found, 1);
		return found >= 0 || entry.resolvedAt !== null ? [] : [{ id: entry.activeIds?.[at] ?? `${name} ${at}`, name }];
	});
	return { ...entry, left: left ?? null, activeAgain };
}

export function failedDeliveriesOf(world: World, { service, webhook }: WebhookOfService): WebhookDeliveries {
	const none = { service, webhook, failures: 0, first: null, last: null };
	const isListed = world.services.find(({ path }) => path === service)?.webhooks?.some(({ id }) => id === webhook);
	const listed = world.failedDeliveries.find((one) => one.service === service && one.webhook === webhook);
	return listed ?? { ...none, failures: isListed ? 0 : null };
}

/** Deactivates all webhooks during an import and reactivates them at once. */
export function deactivatedFor(
	world: World,
	record: HistoryEntry,
	site: SiteView,
	why: string,
): ReactivatedWebhooks | null {
	let [services, active] = [0, 0];
	for (const { path, webhooks } of world.services) {
		const before = webhooks?.filter((one) => one.active) ?? [];
		if (before.length === 0) continue;
		const entry = logged(world, record, site, path, why, before);
		Object.assign(entry, { resolvedAt: Date.now(), restoredBy: site.username });
		services += 1;
		active += before.length;
	}
	return services === 0
		? null
		: {
				services,
				active,
				gone: [],
				failed: [],
				unknown: [],
				notRead: null,
				inactive: { from: Date.now() - 60_000, to: Date.now() },
			};
}

export function deactivating(world: World) {
	const serviceAt = (path: string) => world.services.find((one) => one.path === path);

	/** Reactivates all webhooks of an entry, or `only` one of them. */
	const reactivation = (site: SiteView, id: string, only: string | null): ReturnType<Deeds["reactivateWebhooks"]> => {
		const entry = world.deactivations.find((one) => one.id === id);
		if (entry?.resolvedAt) throw preconditionFailed("restoredAlready");
		if (!entry?.active) throw preconditionFailed("activeUnknown");
		const active = entry.active.filter((_, at) => only === null || entry.activeIds?.[at] === only);
		return {
			operation: "deactivate_webhooks",
			act: "reactivate_webhooks",
			parameters: [{ name: "service", value: entry.service }, ...active.map((value) => ({ name: "webhook", value }))],
			work: () => {
				const webhooks = active.map((name): ReactivatedWebhook => {
					const webhook = serviceAt(entry.service)?.webhooks?.find((one) => one.name === name);
					if (!webhook) return { name, end: { kind: "gone" } };
					const end: ReactivationEnd = { kind: webhook.active ? "wasActive" : "activated" };
					webhook.active = true;
					return { name, end };
				});
				const isOff = (name: string) =>
					serviceAt(entry.service)?.webhooks?.some((one) => one.name === name && one.active === false);
				if (!entry.active?.some(isOff)) Object.assign(entry, { resolvedAt: Date.now(), restoredBy: site.username });
				const number = (...kinds: ReactivationEnd["kind"][]) =>
					webhooks.filter(({ end }) => kinds.includes(end.kind)).length;
				const counts = { inactive: number("activated", "gone"), reactivated: number("activated") };
				const outcome = number("gone") > 0 ? "warnings" : "succeeded";
				return { service: entry.service, webhooks, outcome, counts, recorded: true };
			},
			judge: ({ outcome }) => ({ outcome, note: entry.service }),
		};
	};

	return {
		deactivateWebhooks: (site, { services, why }) => {
			const total = services.length;
			const reason = why.trim();
			return {
				operation: "deactivate_webhooks",
				parameters: [
					...services.map((value) => ({ name: "service", value })),
					...(reason ? [{ name: "why", value: reason }] : []),
				],
				steps: services.map((_, done) => ({ kind: "services", done, total })),
				work: (entry) => ({
					services: services.map((path) => {
						const service = serviceAt(path);
						if (!service) {
							return { service: path, problem: refused(404, `The service ${path} was not found.`), notSent: false };
						}
						const active = service.webhooks?.filter(({ active }) => active) ?? null;
						logged(world, entry, site, path, reason, active);
						service.webhooks = service.webhooks?.map((webhook) => ({ ...webhook, active: false })) ?? null;
						return { service: path, problem: null, notSent: false };
					}),
				}),
				judge: ({ services }) => {
					const failed = services.filter(({ problem }) => problem).length;
					const outcome = failed === 0 ? "succeeded" : failed === total ? "failed" : "warnings";
					return { outcome, note: `${total - failed} of ${total} services` };
				},
			};
		},
		deactivateWebhook: (site, { service, webhook: id, why }) => {
			const webhook = serviceAt(service)?.webhooks?.find((one) => one.id === id);
			if (!webhook?.active) throw preconditionFailed("webhookNotActive");
			const { name } = webhook;
			return {
				operation: "deactivate_webhooks",
				act: "deactivate_webhook",
				parameters: parameters({ service, webhook: name, why: why.trim() }),
				work: (entry) => {
					logged(world, entry, site, service, why.trim(), [webhook]);
					webhook.active = false;
					return { service, webhook: name };
				},
				judge: () => fine(`${service}: ${name}`),
			};
		},
		reactivateWebhook: reactivation,
		reactivateWebhooks: (site, entry) => reactivation(site, entry, null),
		reactivateAllWebhooks: (site, entries) => {
			if (entries.length === 0) throw wrong("changes", "required");
			const deeds = entries.map((entry) => reactivation(site, entry, null));
			return { ...oneByOne(world, site, deeds), operation: "deactivate_webhooks", act: "reactivate_webhooks" };
		},
	} satisfies Partial<Deeds>;
}

export function deactivated(world: World) {
	return {
		listDeactivations: (id) =>
			world.deactivations.filter(({ site }) => site === id).map((entry) => asCompared(world, entry)),
		compareDeactivations: ({ site: id }) => {
			const ofSite = world.deactivations.filter(({ site }) => site === id);
			for (const { id: entry, service, active } of ofSite) {
				const now = world.services.find(({ path }) => path === service)?.webhooks ?? [];
				const names = now.filter((webhook) => webhook.active).map(({ name }) => name);
				world.activeAgain.set(
					entry,
					names.filter((name) => active === null || active.includes(name)),
				);
			}
			return ofSite.map((entry) => asCompared(world, entry));
		},
		remindMe: (entry, at) => {
			for (const deactivation of world.deactivations) if (deactivation.id === entry) deactivation.remindAt = at;
		},
		resolveDeactivation: (id, entry) => {
			const deactivation = world.deactivations.find((one) => one.id === entry);
			if (!deactivation || deactivation.resolvedAt !== null) throw preconditionFailed("restoredAlready");
			Object.assign(deactivation, { resolvedAt: Date.now(), restoredBy: siteIn(world, id).username, byHand: true });
		},
	} satisfies Partial<Doings>;
}
