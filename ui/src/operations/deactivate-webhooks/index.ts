import { IconWebhook } from "@tabler/icons-react";
import type { ServiceView, Target } from "@/bridge";
import type { Find, OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

const stale = (target: Target) => [queryKeys.services(target), queryKeys.deactivations(target.site)];

export const deactivateWebhooks: OperationUi = {
	key: "deactivate_webhooks",
	icon: IconWebhook,
	group: "services",
	View: whenShown(async () => (await import("./form")).DeactivateWebhooks),
	showsList: true,
	stale,
	Recovery: whenShown(async () => (await import("./deactivation-log")).Recovery),
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

/** Finds services by path and webhooks by name, for the command palette. Both lead to the service. */
function findServices(services: readonly ServiceView[], words: string): Find[] {
	const wanted = words.toLowerCase();
	const fits = (text: string) => text.toLowerCase().includes(wanted);
	const to = (label: string, path: string): Find => ({
		label,
		path,
		brought: { parameters: [], sentAt: null, narrow: path },
	});
	const named = services.filter(({ path }) => path !== "" && fits(path)).map(({ path }) => to(path, path));
	const webhooks = services.flatMap(({ path, webhooks }) =>
		// Webhooks of a service can have equal names; they lead to the same page.
		[...new Set((path === "" ? [] : (webhooks ?? [])).map(({ name }) => name).filter(fits))].map((name) =>
			to(name, path),
		),
	);
	return [...named, ...webhooks];
}
