import { IconWebhook } from "@tabler/icons-react";
import type { ServiceView, Target } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";
import { findServices } from "./find-services";

const stale = (target: Target) => [queryKeys.services(target), queryKeys.deactivations(target.site)];

export const deactivateWebhooks: OperationUi = {
	key: "deactivate_webhooks",
	icon: IconWebhook,
	group: "services",
	View: whenShown(async () => (await import("./form")).DeactivateWebhooks),
	showsList: true,
	stale,
	Recovery: whenShown(async () => (await import("./recovery")).Recovery),
	actions: { deactivate_webhook: stale, reactivate_webhooks: stale },
	undoneWithImport: {
		entries: ["deactivate_webhooks", "deactivate_webhook"],
		text: (t) => t("undoImport.sinceWebhooks"),
	},
	concerns: ["webhooks"],
	finds: {
		group: "services",
		read: async ({ queries, target, words, most }) => {
			const services = queries.getQueryData<ServiceView[]>(queryKeys.services(target)) ?? [];
			return findServices(services, words).slice(0, most);
		},
	},
	tourSteps: ["deactivateWebhooks"],
	commands: [{ id: "reactivate", label: (t) => t("palette.reactivate"), icon: IconWebhook }],
};
