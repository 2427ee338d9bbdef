import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { SetPart, SiteView } from "@/bridge";
import { serverName } from "@/lib/target-name";

/**
 * Returns a function that names a part as in the list of sets. A server that was removed from the site keeps its former
 * name.
 */
export function usePartName(site: SiteView): (part: Pick<SetPart, "server" | "name">) => string {
	const { t } = useTranslation("plans");
	return useCallback(
		({ server, name }) => (server === null ? t("sets.portal") : serverName(site, server) || name),
		[t, site],
	);
}
