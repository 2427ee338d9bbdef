import { IconDatabase } from "@tabler/icons-react";
import type { FindItemsForm, ItemQuery, Parameter, Target } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";
import { queryKeys } from "@/lib/queries/keys";
import { whenShown } from "@/lib/when-shown";

const checks = (target: Target) => [queryKeys.itemChecks(target)];

type Read = NonNullable<OperationUi["finds"]>["read"];

/** Finds items of the last search by name, for the command palette. */
const findItemsByName: Read = async ({ backend, target, words, most }) => {
	const search = await backend.lastItemSearch(target);
	if (!search) return [];
	const query: ItemQuery = { column: "name", descending: false, filter: words, type: null };
	const { rows } = await backend.itemRows(target, search.id, query, 0, most);
	const parameters = filtersOf(search.form);
	return rows.map(({ name, path }) => ({ label: name, path, brought: { parameters, sentAt: null, narrow: path } }));
};

/** Returns the parameters of the search, as its form takes them. */
function filtersOf(form: FindItemsForm): Parameter[] {
	return Object.entries(form).flatMap(([name, value]) =>
		value === null || value === "" ? [] : [{ name, value: String(value) }],
	);
}

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
