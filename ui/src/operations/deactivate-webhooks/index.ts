import { IconWebhook } from "@tabler/icons-react";
import type { Target } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries";
import { whenShown } from "@/lib/when-shown";

const stale = (target: Target) => [
	queryKeys.services(target),
	queryKeys.deactivations(target.site),
	queryKeys.reminders,
];

export const deactivateWebhooks: OperationUi = {
	key: "deactivate_webhooks",
	icon: IconWebhook,
	group: "services",
	View: whenShown(async () => (await import("./form")).DeactivateWebhooks),
	showsList: true,
	stale,
	tourStep: "deactivateWebhooks",
	commands: [{ id: "reactivate", label: (t) => t("palette.reactivate"), icon: IconWebhook }],
};
