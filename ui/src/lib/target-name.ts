import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { OperationKey, ServerId, ServerSignIn, SiteView } from "@/bridge";
import { hostAndPathOf } from "./hosts";
import { targetOf } from "./target-of";

/** Names of what an operation goes to, as a run and a history entry have them. */
export interface TargetNames {
	siteName: string;
	/** `null` for a portal, and if the site has no other server. */
	serverName: string | null;
}

/** Returns the name of a target: that of its site, and before it that of the server where the site has several. */
export function useTargetName(): (names: TargetNames) => string {
	const { t } = useTranslation("common");
	return useCallback(
		({ siteName: site, serverName: server }) => (server === null ? site : t("serverOfSite", { server, site })),
		[t],
	);
}

/** Returns the name of what an operation on a site goes to. */
export function useTargetNameOf(operation: OperationKey, site: SiteView): string {
	return useTargetName()({ siteName: site.name, serverName: serverNameOf(operation, site) });
}

/** Returns the name of the server that an operation goes to; `null` for a portal, and if the site has no other server. */
export function serverNameOf(operation: OperationKey, site: SiteView): string | null {
	const { server } = targetOf(operation, site);
	return server === null || site.servers.length < 2 ? null : serverName(site, server);
}

/** Returns the name of a server of a site, which no other server of the site has; empty if the site does not have it. */
export function serverName({ servers }: SiteView, server: ServerId): string {
	return servers.find(({ id }) => id === server)?.name ?? "";
}

/** Returns the server that a sign-in of its own goes to; `null` for the portal, and if the site does not have it. */
export function signInAt({ servers }: SiteView, server: ServerId | null): ServerSignIn | null {
	const saved = servers.find(({ id }) => id !== null && id === server);
	return saved?.id ? { id: saved.id, name: saved.name, host: hostAndPathOf(saved.address) } : null;
}
