import type { TFunction } from "i18next";

/** Types that deployments are known to have. A site may have others: they are shown as it spells them. */
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

/** "Enterprise geodatabase". */
export function typeName(t: TFunction<"findItems">, type: string): string {
	if (type === "") return t("unsaid");
	return isKnown(type) ? t(`type.${type}`) : type;
}

/** "Enterprise geodatabase (egdb)"; a name that is spelled like its type stands alone. */
export function typeText(t: TFunction<"findItems">, type: string): string {
	const name = typeName(t, type);
	const isSame = name.replaceAll(" ", "").toLowerCase() === type.toLowerCase();
	return isKnown(type) && !isSame ? t("typed", { name, type }) : name;
}
