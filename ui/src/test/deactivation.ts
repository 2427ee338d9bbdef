import type { Concern, ConcernAbout, DeactivationView, ServiceView } from "@/bridge";
import { content } from "@/bridge/fake-backend/samples";

/** Returns the log entry of a service whose webhooks were deactivated an hour ago and are still inactive. */
export function deactivated(changes: Partial<DeactivationView> = {}): DeactivationView {
	const active = changes.active === undefined ? ["mains-leaks"] : changes.active;
	return {
		id: "s1",
		site: "city",
		server: "server",
		record: "r1",
		service: "Water/Mains.FeatureServer",
		deactivatedAt: Date.now() - 3_600_000,
		by: "gisadmin",
		why: "",
		known: true,
		active,
		activeIds: null,
		left: active?.map((name) => ({ id: name, name })) ?? null,
		activeAgain: [],
		remindAt: null,
		resolvedAt: null,
		restoredBy: null,
		byHand: false,
		...changes,
	};
}

/** Services of the default fixture, where only webhooks with these names are active. */
export function servicesWithActive(...names: string[]): ServiceView[] {
	return content().services.map((service) => ({
		...service,
		webhooks: service.webhooks?.map((webhook) => ({ ...webhook, active: names.includes(webhook.name) })) ?? null,
	}));
}

/** Returns the concern of a site about webhooks that were deactivated. */
export function deactivatedConcern(
	webhooks: string[],
	about: Partial<Extract<ConcernAbout, { kind: "webhooks" }>> = {},
): Concern {
	const services = ["Water/Mains.FeatureServer"];
	const log = { isUncertain: false, by: "gisadmin", why: "", checkedAt: null };
	return {
		tone: "warnings",
		server: "server",
		at: Date.now() - 3_600_000,
		about: { kind: "webhooks", services, webhooks, ...log, ...about },
	};
}

/** Concern of a site about a refreshed invitation that is not saved. */
export const unsavedConcern: Concern = {
	tone: "warnings",
	server: null,
	at: 0,
	about: { kind: "unsavedInvitations", count: 1 },
};
