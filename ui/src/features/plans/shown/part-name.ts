import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { SetPart, SiteView } from "@/bridge";
import { serverName } from "@/lib/target-name";

/**
 * Returns what a part of a set is called: as in the list of sets. A server that the site no longer has keeps the name of
 * that time.
 */
export function usePartName(site: SiteView): (part: Pick<SetPart, "server" | "name">) => string {
	const { t } = useTranslation("plans");
	return useCallback(
		({ server, name }) => (server === null ? t("sets.portal") : serverName(site, server) || name),
		[t, site],
	);
}
