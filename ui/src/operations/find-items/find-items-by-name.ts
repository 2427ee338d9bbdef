import type { FindItemsForm, ItemQuery, Parameter } from "@/bridge";
import type { OperationUi } from "@/lib/operation-ui";

type Read = NonNullable<OperationUi["finds"]>["read"];

/** Finds items of the last search by name, for the command palette. */
export const findItemsByName: Read = async ({ backend, target, words, most }) => {
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
