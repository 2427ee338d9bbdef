import { IconDatabase, IconWebhook } from "@tabler/icons-react";
import { skipToken, useQuery } from "@tanstack/react-query";
import type { FindItemsForm, ItemQuery, Parameter, ServiceView, SessionView, SiteView } from "@/bridge";
import { useBackend } from "@/bridge";
import { useBring } from "@/lib/brought";
import { queryKeys } from "@/lib/queries";
import { serverOf } from "@/lib/target";
import { unavailableReason } from "@/lib/unavailable-text";
import type { Command } from "./commands";

/** So many of each kind; whoever wants more goes to their page. */
const most = 8;
/** Fewer letters are in almost every name. */
const least = 2;

/**
 * The services and data store items whose names contain these words. Only what a page read from the site before is
 * searched: to list all services takes a request for each folder.
 */
export function useSiteFinds(site: SiteView | null, session: SessionView | null, words: string): Command[] {
	const backend = useBackend();
	const bring = useBring();
	const target = site ? serverOf(site) : { site: "", server: null };
	const wanted = words.trim();
	const asks = site !== null && session !== null && wanted.length >= least;
	const services = useQuery<ServiceView[]>({ queryKey: queryKeys.services(target), queryFn: skipToken }).data ?? [];
	const search = useQuery({
		queryKey: queryKeys.itemSearch(target),
		queryFn: asks ? () => backend.lastItemSearch(target) : skipToken,
	}).data;
	const query: ItemQuery = { column: "name", descending: false, filter: wanted, type: null };
	const items = useQuery({
		queryKey: [...queryKeys.itemRows(target, search?.id ?? ""), query, "palette"],
		queryFn: asks && search ? () => backend.itemRows(target, search.id, query, 0, most) : skipToken,
	}).data;
	if (!asks) return [];
	const named = services.filter(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()));
	const canDeactivate = !unavailableReason(session, "deactivate_webhooks");
	return [
		...(canDeactivate ? named.slice(0, most) : []).map(
			({ path }): Command => ({
				id: `service ${path}`,
				group: "services",
				label: path,
				icon: IconWebhook,
				run: () => bring(target, "deactivate_webhooks", { parameters: [], sentAt: null, narrow: path }),
			}),
		),
		...(search ? (items?.rows ?? []) : []).map(
			({ name, path }): Command => ({
				id: `item ${path}`,
				group: "items",
				label: name,
				description: path,
				icon: IconDatabase,
				run: () =>
					bring(target, "find_items", { parameters: search ? filtersOf(search.form) : [], sentAt: null, narrow: path }),
			}),
		),
	];
}

/** The search that found it, as the form of a search takes it. */
function filtersOf(form: FindItemsForm): Parameter[] {
	return Object.entries(form).flatMap(([name, value]) =>
		value === null || value === "" ? [] : [{ name, value: String(value) }],
	);
}
