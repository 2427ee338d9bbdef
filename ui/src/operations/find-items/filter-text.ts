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

/** Types of known deployments. Other types are shown unchanged. */
export const knownTypes = [
	"egdb",
	"folder",
	"fgdb",
	"cloudStore",
	"objectStore",
	"nosql",
	"rasterStore",
	"bigDataFileShare",
	"datasource",
] as const;

type KnownType = (typeof knownTypes)[number];

function isKnown(type: string): type is KnownType {
	return knownTypes.some((known) => known === type);
}

/** Returns the name of a type, for example "Enterprise geodatabase". */
export function typeName(t: TFunction<"findItems">, type: string): string {
	if (type === "") return t("unsaid");
	return isKnown(type) ? t(`type.${type}`) : type;
}

/** Returns name and type, for example "Enterprise geodatabase (egdb)"; only the name if they are spelled alike. */
export function typeText(t: TFunction<"findItems">, type: string): string {
	const name = typeName(t, type);
	const isSame = name.replaceAll(" ", "").toLowerCase() === type.toLowerCase();
	return isKnown(type) && !isSame ? t("typed", { name, type }) : name;
}
