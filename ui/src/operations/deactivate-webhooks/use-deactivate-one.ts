import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ServiceView, type SiteView, useBackend, type WebhookView } from "@/bridge";

export interface OneWebhook {
	service: ServiceView;
	webhook: WebhookView;
	why: string;
	confirmation: string;
}

/** The deactivation of a single webhook. What came of it is kept above the list, like that of a reactivation. */
export function useDeactivateOne(site: SiteView, onMutate: () => void) {
	const backend = useBackend();
	const queries = useQueryClient();
	return useMutation({
		mutationFn: ({ service, webhook, why, confirmation }: OneWebhook) => {
			const form = { service: service.path, webhook: webhook.id, why, confirmation };
			return backend.deactivateWebhook(site.id, crypto.randomUUID(), form);
		},
		onMutate,
		onSettled: () => queries.invalidateQueries({ queryKey: ["site", site.id] }),
	});
}

export type DeactivateOne = ReturnType<typeof useDeactivateOne>;
