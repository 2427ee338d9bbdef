import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExcludedItem, RecordId, ServerType, SiteView } from "@/bridge";
import { Checklist } from "@/components/checklist";
import { Foldable } from "@/components/foldable";
import { Lines } from "@/components/text";

/** Parts that a server export does not include, according to the specification. */
const parts = [
	"cacheTiles",
	"serviceData",
	"primaryAdministrator",
	"webAdaptors",
	"logs",
	"statistics",
] as const satisfies readonly ExcludedItem[];

/** Further parts that an export of a server type does not include, according to its documentation. */
const ofType: { readonly [type in ServerType["kind"]]?: ExcludedItem } = {
	notebook: "notebooks",
	dataPipelines: "dataPipelines",
};

function partsOf({ servers, currentServer }: SiteView): readonly ExcludedItem[] {
	const server = servers.find(({ id }) => id === currentServer);
	const own = server ? ofType[server.serverType.kind] : undefined;
	return own ? [own, ...parts] : parts;
}

/** Shown before an export. */
export function ExcludedItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text mb="xs">{t("leftNote")}</Text>
			<Lines lines={partsOf(site).map((part) => t(`excluded.${part}`))} />
		</Foldable>
	);
}

/** Shown after an export. */
export function ExcludedItemsChecklist({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("exportServer");
	const items = partsOf(site).map((part) => ({
		id: part,
		label: t(`excluded.${part}`),
		hint: t(`excludedHint.${part}`),
	}));
	return <Checklist record={record} title={t("left")} note={t("leftNote")} items={items} />;
}
