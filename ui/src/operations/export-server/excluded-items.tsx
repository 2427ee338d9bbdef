import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExcludedItem, RecordId, ServerType, SiteView } from "@/bridge";
import { Checklist } from "@/components/checklist";
import { Foldable } from "@/components/foldable";

/** What the specification leaves out of a server export. */
const parts = [
	"cacheTiles",
	"serviceData",
	"primaryAdministrator",
	"webAdaptors",
	"logs",
	"statistics",
] as const satisfies readonly ExcludedItem[];

/** What the documents of a server type leave out besides. */
const ofType: { readonly [type in ServerType["kind"]]?: ExcludedItem } = {
	notebook: "notebooks",
	dataPipelines: "dataPipelines",
};

function partsOf({ servers, currentServer }: SiteView): readonly ExcludedItem[] {
	const server = servers.find(({ id }) => id === currentServer);
	const own = server ? ofType[server.serverType.kind] : undefined;
	return own ? [own, ...parts] : parts;
}

/** Before an export: good to know. */
export function ExcludedItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text mb="xs">{t("leftNote")}</Text>
			<List>
				{partsOf(site).map((part) => (
					<List.Item key={part}>{t(`excluded.${part}`)}</List.Item>
				))}
			</List>
		</Foldable>
	);
}

/** After an export: to be marked as done. */
export function ExcludedItemsChecklist({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("exportServer");
	const items = partsOf(site).map((part) => ({
		id: part,
		label: t(`excluded.${part}`),
		hint: t(`excludedHint.${part}`),
	}));
	return <Checklist record={record} title={t("left")} note={t("leftNote")} items={items} />;
}
