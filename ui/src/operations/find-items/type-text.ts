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

/** "Enterprise geodatabase (egdb)". */
export function typeText(t: TFunction<"findItems">, type: string): string {
	if (type === "") return t("unsaid");
	return isKnown(type) ? t("typed", { name: t(`type.${type}`), type }) : type;
}
