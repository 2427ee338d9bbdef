import type { TFunction } from "i18next";
import type { FindItemsForm } from "@/bridge";
import { formatList } from "@/lib/format";

/** Describes a filter, for example "below /fileShares and type folder". */
export function filterText(t: TFunction<"findItems">, form: FindItemsForm): string {
	const { parentPath, ancestorPath, types, id, isManaged } = form;
	const isEverything = ancestorPath === "/" && !parentPath && !types && !id && isManaged === null;
	if (isEverything) return t("asked.everything");
	const parts = [
		parentPath ? t("asked.parentPath", { path: parentPath }) : null,
		ancestorPath ? t("asked.ancestorPath", { path: ancestorPath }) : null,
		types ? t("asked.types", { types }) : null,
		id ? t("asked.id", { id }) : null,
		isManaged === null ? null : t(isManaged ? "asked.managed" : "asked.notManaged"),
	];
	return formatList(parts.filter((part) => part !== null));
}
