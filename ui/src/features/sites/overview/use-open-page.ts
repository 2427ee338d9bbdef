import { useMutation } from "@tanstack/react-query";
import { type SiteView, useBackend } from "@/bridge";

/** The site's own page: the portal's, or the server manager's where there is no portal. */
export function ownPage(site: SiteView): { kind: "portal" | "manager"; address: string } | null {
	if (site.portal !== null) return { kind: "portal", address: site.portal };
	return site.server === null ? null : { kind: "manager", address: `${site.server.replace(/\/+$/, "")}/manager` };
}

/** Opens it in the system's browser. */
export function useOpenPage(site: SiteView) {
	const backend = useBackend();
	return useMutation({ mutationFn: (address: string) => backend.openLink(site.id, address) });
}
