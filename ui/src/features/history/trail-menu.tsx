import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconDots, IconList } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { SaveTrailItems, type useSaveTrail } from "./save-trail";

interface TrailMenuProps {
	/** Head of the audit trail; empty if there is none. */
	head: string;
	save: ReturnType<typeof useSaveTrail>;
	onShowEvents: () => void;
}

/** Menu of less frequent actions on the audit trail, so that the list below has more room. */
export function TrailMenu({ head, save, onShowEvents }: TrailMenuProps) {
	const { t } = useTranslation(["history", "common"]);
	const { copied, copy } = useClipboard();
	const Icon = copied ? IconCheck : IconCopy;
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<ActionIcon variant="default" loading={save.isPending} aria-label={t("trail.menu")}>
					<IconDots size={16} stroke={1.5} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				{/* The menu stays open to show that the head was copied. */}
				<Menu.Item
					closeMenuOnClick={false}
					disabled={head === ""}
					leftSection={<Icon size={16} aria-hidden />}
					onClick={() => copy(head)}
				>
					{copied ? t("common:action.copied") : t("trail.copyHead")}
				</Menu.Item>
				<Menu.Item leftSection={<IconList size={16} aria-hidden />} onClick={onShowEvents}>
					{t("trail.events.show")}
				</Menu.Item>
				<Menu.Divider />
				<Menu.Label>{t("trail.save.title")}</Menu.Label>
				<SaveTrailItems save={save} />
			</Menu.Dropdown>
		</Menu>
	);
}
