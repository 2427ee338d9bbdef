import { IconDatabase } from "@tabler/icons-react";
import type { Target } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";
import { findItemsByName } from "./find-items-by-name";

const checks = (target: Target) => [queryKeys.itemChecks(target)];

export const findItems: OperationUi = {
	key: "find_items",
	icon: IconDatabase,
	group: "services",
	View: whenShown(async () => (await import("./form")).FindItems),
	stale: (target) => [queryKeys.itemSearch(target), queryKeys.itemFilters(target.site)],
	actions: { validate_data_items: checks, find_data_use: checks },
	finds: { group: "items", read: findItemsByName },
	tourSteps: ["findItem"],
};
