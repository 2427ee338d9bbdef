import { type DeactivationView, type ServiceView, type SiteView, useBackend, type WebhookView } from "@/bridge";
import type { OperationState, RunOfItsOwn } from "@/lib/run-store";
import { serverOf } from "@/lib/target";
import { useOperation } from "@/lib/use-operation";

interface OneWebhook {
	service: ServiceView;
	webhook: WebhookView;
	why: string;
	confirmation: string;
}

export interface Reactivated {
	entry: DeactivationView;
	/** `null` for all webhooks of the entry. */
	webhook: WebhookView | null;
}

const operation = "deactivate_webhooks";
const runs = {
	reactivate: { operation, act: "reactivate_webhooks", name: "reactivate" },
	reactivateAll: { operation, act: "reactivate_webhooks", name: "reactivateAll" },
	deactivateOne: { operation, act: "deactivate_webhook", name: "deactivateOne" },
} as const satisfies Record<string, RunOfItsOwn>;

/** Actions in addition to the operation. Results outlive the page until another action starts. */
export function useActions(site: SiteView) {
	const backend = useBackend();
	// Earlier results might no longer be true.
	const forget = () => {
		for (const action of [reactivation, reactivateAll, deactivateOne]) action.reset();
	};
	const reactivation = useOperation(runs.reactivate, site, (run, { entry, webhook }: Reactivated) => {
		forget();
		return webhook === null
			? backend.reactivateWebhooks(serverOf(site), run, entry.id)
			: backend.reactivateWebhook(serverOf(site), run, entry.id, webhook.id);
	});
	const reactivateAll = useOperation(runs.reactivateAll, site, (run, entries: readonly DeactivationView[]) => {
		forget();
		const ids = entries.map(({ id }) => id);
		return backend.reactivateAllWebhooks(serverOf(site), run, ids);
	});
	const deactivateOne = useOperation(runs.deactivateOne, site, (run, one: OneWebhook) => {
		forget();
		const { service, webhook, why, confirmation } = one;
		const form = { service: service.path, webhook: webhook.id, why, confirmation };
		return backend.deactivateWebhook(serverOf(site), run, form);
	});
	return { reactivation, reactivateAll, deactivateOne, forget };
}

export type Actions = ReturnType<typeof useActions>;

export const hasEnded = ({ kind }: OperationState<unknown, unknown>): boolean => kind !== "idle" && kind !== "running";
