import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BackupPlan } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { useCommand } from "@/lib/use-command";

type Deleted = Pick<BackupPlan, "id" | "site" | "name" | "folder">;

export function DeletePlan({ plan, onClose }: { plan: Deleted | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const remove = useCommand(
		(backend, { id }: Deleted) => backend.deletePlan(id),
		(stale, { site }) => stale("deletePlan", site),
		{ onDone: onClose },
	);
	return (
		<Dialog
			opened={plan !== null}
			onClose={onClose}
			title={t("delete.title", { plan: plan?.name ?? "" })}
			confirm={t("delete.confirm")}
			irreversible
			command={remove}
			onConfirm={() => plan && remove.mutate(plan)}
		>
			<Text mod="anywhere">{plan?.folder ? t("delete.body", { folder: plan.folder }) : t("delete.bodyNoFolder")}</Text>
		</Dialog>
	);
}
