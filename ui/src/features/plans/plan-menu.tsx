import { Menu } from "@mantine/core";
import { IconPencil, IconPlayerPause, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupPlan } from "@/bridge";
import { IconItem, MoreMenu } from "@/components/menu";
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
		<MoreMenu label={t("menu.label", { plan: plan.name })}>
			<IconItem icon={IconPencil} onClick={() => go({ page: "edit-plan", site: plan.site, plan: plan.id })}>
				{t("menu.edit")}
			</IconItem>
			<IconItem icon={IconPlayerPause} disabled={!plan.isEnabled} onClick={() => enable.mutate(false)}>
				{t("menu.pause")}
			</IconItem>
			<Menu.Divider />
			<IconItem icon={IconTrash} onClick={onDelete}>
				{t("menu.delete")}
			</IconItem>
		</MoreMenu>
	);
}
