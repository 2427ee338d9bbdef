import type { QueryClient } from "@tanstack/react-query";
import { operations, type SessionView, type SiteView, useBackend } from "@/bridge";
import { useBring } from "@/lib/brought";
import { useFinds } from "@/lib/queries/items";
import { serverOf } from "@/lib/target";
import { unavailableReason } from "@/lib/unavailable-text";
import { operationUis } from "@/operations";
import type { Command } from "./commands";

/** So many of each kind; whoever wants more goes to their page. */
const most = 8;
/** Fewer letters are in almost every name. */
const least = 2;

/**
 * What the operations find of the current server by these words. Only what a page read from the site before is
 * searched: to list all services takes a request for each folder.
 */
export function useSiteFinds(site: SiteView | null, session: SessionView | null, words: string): Command[] {
	const backend = useBackend();
	const bring = useBring();
	const target = site ? serverOf(site) : { site: "", server: null };
	const wanted = words.trim();
	const asks = site !== null && session !== null && wanted.length >= least;
	const finding = operations.flatMap(({ key }) => {
		const { finds, icon } = operationUis[key];
		return finds && !unavailableReason(session, key) ? [{ key, icon, ...finds }] : [];
	});
	const read = (queries: QueryClient) =>
		Promise.all(finding.map(({ read }) => read({ backend, queries, target, words: wanted, most })));
	const { data } = useFinds(target, wanted, asks ? read : null);
	return finding.flatMap(({ key, group, icon }, place) =>
		(data?.[place] ?? []).map(
			({ label, path, brought }): Command => ({
				id: `${key} ${path}`,
				group,
				label,
				...(path === label ? {} : { description: path }),
				icon,
				run: () => bring(target, key, brought),
			}),
		),
	);
}
