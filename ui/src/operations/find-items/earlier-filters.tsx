import { Menu } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { FindItemsForm, SiteId } from "@/bridge";
import { MenuButton } from "@/components/menu";
import { useRecentItemFilters } from "@/lib/queries/items";
import { filterText } from "./filter-text";

interface EarlierFiltersProps {
	site: SiteId;
	onChoose: (form: FindItemsForm) => void;
}

/** Menu with earlier filters. Hidden if there are none. */
export function EarlierFilters({ site, onChoose }: EarlierFiltersProps) {
	const { t } = useTranslation("findItems");
	const earlier = useRecentItemFilters(site).data;
	if (!earlier || earlier.length === 0) return null;
	return (
		<MenuButton position="bottom-start" label={t("earlier")} icon={IconHistory} maw={480}>
			{earlier.map((form) => (
				<Menu.Item key={JSON.stringify(form)} onClick={() => onChoose(form)}>
					{filterText(t, form)}
				</Menu.Item>
			))}
		</MenuButton>
	);
}
