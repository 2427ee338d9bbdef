import type { ReactivatedWebhook, ReactivationEnd, Reminder } from "../bindings";
import type { Doings } from "./answer";
import { type Deeds, fine } from "./deeds";
import { refuseUnconfirmed } from "./imports";
import { preconditionFailed, refused, wrong } from "./problems";
import { siteIn, type World } from "./world";

export function deactivating(world: World) {
	const serviceAt = (path: string) => world.services.find((one) => one.path === path);

	return {
		deactivateWebhooks: (site, { services, why, confirmation }) => {
			if (services.length === 0) throw wrong("services", "required");
			refuseUnconfirmed(site.environment === "production" ? site.name : "", confirmation);
			const total = services.length;
			const reason = why.trim();
			return {
				operation: "deactivate_webhooks",
				parameters: [
					...services.map((value) => ({ name: "service", value })),
					...(reason ? [{ name: "why", value: reason }] : []),
				],
				steps: services.map((_, done) => ({ kind: "services", done, total })),
				work: ({ id: record }) => ({
					services: services.map((path) => {
						const service = serviceAt(path);
						if (!service) {
							return { service: path, problem: refused(404, `The service ${path} was not found.`), notSent: false };
						}
						world.silences.unshift({
							id: `${record} ${path}`,
							site: site.id,
							service: path,
							deactivatedAt: Date.now(),
							by: site.username ?? "",
							why: reason,
							known: true,
							active: service.webhooks?.filter(({ active }) => active).map(({ name }) => name) ?? null,
							remindAt: null,
							restoredAt: null,
							restoredBy: null,
							byHand: false,
						});
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
		reactivateWebhooks: (site, id) => {
			const entry = world.silences.find((one) => one.id === id);
			const active = entry?.active;
			if (entry?.restoredAt) throw preconditionFailed("restoredAlready");
			if (!entry || !active) throw preconditionFailed("activeUnknown");
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
					Object.assign(entry, { restoredAt: Date.now(), restoredBy: site.username });
					return { service: entry.service, webhooks, recorded: true };
				},
				judge: () => fine(entry.service),
			};
		},
	} satisfies Partial<Deeds>;
}

/** The deactivation log, and what is due of it. */
export function deactivated(world: World) {
	return {
		listDeactivations: (id) => world.silences.filter(({ site }) => site === id),
		remindMe: (entry, at) => {
			for (const silence of world.silences) if (silence.id === entry) silence.remindAt = at;
		},
		resolveDeactivation: (id, entry) => {
			const silence = world.silences.find((one) => one.id === entry);
			if (!silence || silence.restoredAt !== null) throw preconditionFailed("restoredAlready");
			Object.assign(silence, { restoredAt: Date.now(), restoredBy: siteIn(world, id).username, byHand: true });
		},
		reminders: () =>
			world.silences.flatMap(({ id, site, service, remindAt, restoredAt }): Reminder[] =>
				remindAt !== null && restoredAt === null && remindAt <= Date.now()
					? [{ site, at: remindAt, about: { kind: "deactivation", entry: id, service } }]
					: [],
			),
	} satisfies Partial<Doings>;
}
