import { useTranslation } from "react-i18next";
import type { SetPart } from "@/bridge";

/** Returns what a part of a set is called: the portal as in every list of parts, not like its site. */
export function usePartName(): (part: SetPart) => string {
	const { t } = useTranslation("plans");
	return ({ server, name }) => (server === null ? t("sets.portal") : name);
}
