import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
	type Millis,
	type OperationKey,
	operations,
	type ServerId,
	type ServerSignIn,
	type SiteView,
	type Target,
} from "@/bridge";
import { hostAndPathOf } from "./format";

export function serverOf({ id, currentServer }: Pick<SiteView, "id" | "currentServer">): Target {
	return { site: id, server: currentServer };
}

/**
 * Returns a site with another current server; `null` if it has no such server. `server`: `null` leaves the site
 * unchanged.
 */
export function atServer(site: SiteView, server: ServerId | null): SiteView | null {
	if (server === null || server === site.currentServer) return site;
	const there = site.servers.find(({ id }) => id === server);
	if (!there) return null;
	const { address } = there;
	return { ...site, currentServer: server, server: address };
}

/** Returns a target as text, for keys of drafts and states. */
export function targetKey({ site, server }: Target): string {
	return server === null ? site : `${site} ${server}`;
}

/** Returns the target of an operation: the portal or the current server of a site. */
export function targetOf(operation: OperationKey, site: Pick<SiteView, "id" | "currentServer">): Target {
	const isPortal = operations.some(({ key, component }) => key === operation && component === "portal");
	return isPortal ? { site: site.id, server: null } : serverOf(site);
}

/** Names of a target, as runs and history entries have them. */
export interface TargetNames {
	siteName: string;
	/** `null` for a portal, and for the only server of a site. */
	serverName: string | null;
}

/** Returns a function that names a target: its site, with its server if the site has several. */
export function useTargetName(): (names: TargetNames) => string {
	const { t } = useTranslation("common");
	return useCallback(
		({ siteName: site, serverName: server }) => (server === null ? site : t("serverOfSite", { server, site })),
		[t],
	);
}

export function useTargetNameOf(operation: OperationKey, site: SiteView): string {
	return useTargetName()({ siteName: site.name, serverName: serverNameOf(operation, site) });
}

/** Returns the name of the server that an operation uses; `null` for a portal, and for the only server of a site. */
export function serverNameOf(operation: OperationKey, site: SiteView): string | null {
	const { server } = targetOf(operation, site);
	return server === null || site.servers.length < 2 ? null : serverName(site, server);
}

/** Returns the name of a server, which is unique within its site; empty if the site does not have the server. */
export function serverName({ servers }: SiteView, server: ServerId): string {
	return servers.find(({ id }) => id === server)?.name ?? "";
}

/** Returns the server for a sign-in of its own; `null` for the portal, and if the site does not have the server. */
export function signInAt({ servers }: SiteView, server: ServerId | null): ServerSignIn | null {
	const saved = servers.find(({ id }) => id !== null && id === server);
	return saved?.id ? { id: saved.id, name: saved.name, host: hostAndPathOf(saved.address) } : null;
}

/**
 * Returns the suggested name of a saved table, as the backend names its files: server, site, content, time. Slashes are
 * replaced, because the backend would use only what follows the last one.
 */
export function tableName({ serverName, siteName }: TargetNames, what: string, at: Millis = Date.now()): string {
	const name = [serverName, siteName, what, moment(new Date(at))].filter(Boolean).join(" ");
	return name.replace(/[/\\]/g, "-");
}

function moment(at: Date): string {
	const two = (part: number) => String(part).padStart(2, "0");
	const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
	return `${day.join("-")} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-")}`;
}
