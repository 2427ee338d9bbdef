import type { QueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { operations, type SessionView, type SiteView, type Target, useBackend } from "@/bridge";
import { useBring } from "@/lib/brought";
import { useFinds } from "@/lib/queries/items";
import { serverOf } from "@/lib/target";
import { serverName } from "@/lib/target-name";
import { unavailableReason } from "@/lib/unavailable-text";
import { operationUis } from "@/operations";
import type { Command } from "./commands";

/** Results shown of each kind and server. */
const mostPerServer = 8;
/** Limits on a site with more than `fewServers` servers, so that the list stays short. */
const fewServers = 3;
const mostOfManyServers = 3;
/** Minimum number of letters: fewer occur in almost every name. */
const minLetters = 2;

/**
 * Searches the services and data store items of all servers of a site, the current server first. Only what a page has
 * read before is searched, because listing all services takes a request for each folder.
 */
export function useSiteFinds(site: SiteView | null, session: SessionView | null, words: string): Command[] {
	const backend = useBackend();
	const bring = useBring();
	const { t } = useTranslation();
	const targets = site ? targetsOf(site) : [];
	const wanted = words.trim();
	const asks = site !== null && session !== null && wanted.length >= minLetters;
	const finding = operations.flatMap(({ key }) => {
		const { finds, icon } = operationUis[key];
		return finds && !unavailableReason(session, key) ? [{ key, icon, ...finds }] : [];
	});
	const asked = finding.flatMap((find) => targets.map((target) => ({ ...find, target })));
	const each = targets.length > fewServers ? mostOfManyServers : mostPerServer;
	const read = (queries: QueryClient) =>
		Promise.all(
			asked.map(async ({ read, ...of }) => ({
				...of,
				finds: await read({ backend, queries, target: of.target, words: wanted, most: each }),
			})),
		);
	const { data } = useFinds(site?.id ?? "", wanted, asks ? read : null);
	return (data ?? []).flatMap(({ key, group, icon, target, finds }) =>
		finds.map(({ label, path, brought }): Command => {
			const server = site && site.servers.length > 1 && target.server ? serverName(site, target.server) : "";
			const where = path === label ? "" : path;
			const description = server && where ? t("palette.onServer", { path: where, server }) : server || where;
			return {
				id: `${key} ${target.server} ${path} ${label}`,
				group,
				label,
				...(description ? { description } : {}),
				icon,
				run: () => bring(target, key, brought),
			};
		}),
	);
}

function targetsOf(site: SiteView): Target[] {
	const current = serverOf(site);
	const others = site.servers.filter(({ id }) => id !== current.server);
	return [current, ...others.map(({ id }) => ({ site: site.id, server: id }))];
}
