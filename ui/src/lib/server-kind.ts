import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ServerForm } from "@/bridge";
import { joined } from "@/messages/isolated";

/** Returns a function that gives the name of a server with its role or type, for lists of servers. */
export function useServerWithKind(): (server: ServerForm) => string {
	const kindOf = useServerKind();
	return useCallback((server) => joined([server.name, kindOf(server)], " · "), [kindOf]);
}

/** Returns a function that gives the role or type of a server, for example "GIS server". */
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
