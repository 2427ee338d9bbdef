import type { ServiceView, WebhookView } from "@/bridge";

export function activeWebhooks(service: ServiceView): WebhookView[] {
	return service.webhooks.filter(({ active }) => active);
}

export function countActive(services: readonly ServiceView[]): number {
	return services.reduce((count, service) => count + activeWebhooks(service).length, 0);
}

/** In the order of names, the root first. */
export function byFolder(services: readonly ServiceView[]): [string, ServiceView[]][] {
	const folders = new Map<string, ServiceView[]>();
	for (const service of services) folders.set(service.folder, [...(folders.get(service.folder) ?? []), service]);
	return [...folders].sort(([one], [other]) => one.localeCompare(other));
}
