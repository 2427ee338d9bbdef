import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ServerForm } from "@/bridge";
import { joined } from "@/messages/isolated";

/** Returns the name of a server with what it is, where one is chosen among several. */
export function useServerWithKind(): (server: ServerForm) => string {
	const kindOf = useServerKind();
	return useCallback((server) => joined([server.name, kindOf(server)], " · "), [kindOf]);
}

/** Returns what a server is, as "GIS server" or its role in the portal. */
export function useServerKind(): (server: Pick<ServerForm, "role" | "serverType">) => string {
	const { t } = useTranslation("common");
	return useCallback(
		({ role, serverType: type }) => {
			if (role === "HOSTING_SERVER") return t("hostingServer");
			return type.kind === "other" ? type.name : t(`serverKind.${type.kind}`);
		},
		[t],
	);
}
