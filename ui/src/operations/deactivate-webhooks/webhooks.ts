import type { ReactivatedWebhook, ServiceView } from "@/bridge";

/** The names of what is active there; `null` where the server does not say it of each. */
export function activeNames({ webhooks }: ServiceView): string[] | null {
	if (webhooks === null || webhooks.some(({ active }) => active === null)) return null;
	return webhooks.filter(({ active }) => active).map(({ name }) => name);
}

/** Whether anything may be active there, of a service that a request can name. */
export function canBeDeactivated(service: ServiceView): boolean {
	return service.path !== "" && activeNames(service)?.length !== 0;
}

/** A service whose webhooks are to be deactivated. */
export interface Chosen {
	path: string;
	/** The names of what is active there; `null` where the server does not list it. */
	active: readonly string[] | null;
}

/** How many are deactivated with them; `null` where the server does not list them. */
export function countFalling(chosen: readonly Chosen[]): number | null {
	const counts = chosen.map(({ active }) => active?.length ?? null);
	return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** In the order of names, the root first. */
export function byFolder(services: readonly ServiceView[]): [string, ServiceView[]][] {
	const folders = new Map<string, ServiceView[]>();
	for (const service of services) {
		const inFolder = folders.get(service.folder);
		if (inFolder) inFolder.push(service);
		else folders.set(service.folder, [service]);
	}
	return [...folders].sort(([one], [other]) => one.localeCompare(other));
}

/** The outcome of a reactivation, from its results for each webhook. */
export function reactivationOutcome(webhooks: ReactivatedWebhook[]): "succeeded" | "warnings" | "unknown" {
	if (webhooks.some(({ end }) => end.kind === "unknown")) return "unknown";
	return webhooks.some(({ end }) => end.kind === "rejected" || end.kind === "notSent") ? "warnings" : "succeeded";
}
