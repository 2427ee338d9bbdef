import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconPencil, IconPlayerPause, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupPlan } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useSetEnabled } from "./shown/use-set-enabled";

interface PlanMenuProps {
	plan: BackupPlan;
	onDelete: () => void;
}

export function PlanMenu({ plan, onDelete }: PlanMenuProps) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const enable = useSetEnabled(plan);
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<ActionIcon variant="default" aria-label={t("menu.label", { plan: plan.name })}>
					<IconDots size={16} stroke={1.5} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item
					leftSection={<IconPencil size={16} aria-hidden />}
					onClick={() => go({ page: "edit-plan", site: plan.site, plan: plan.id })}
				>
					{t("menu.edit")}
				</Menu.Item>
				<Menu.Item
					leftSection={<IconPlayerPause size={16} aria-hidden />}
					disabled={!plan.isEnabled}
					onClick={() => enable.mutate(false)}
				>
					{t("menu.pause")}
				</Menu.Item>
				<Menu.Divider />
				<Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
					{t("menu.delete")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
