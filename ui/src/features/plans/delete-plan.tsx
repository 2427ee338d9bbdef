import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BackupPlan, PlanView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useCommand } from "@/lib/use-command";

export function DeletePlan({ view, onClose }: { view: PlanView | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const remove = useCommand(
		(backend, { id }: BackupPlan) => backend.deletePlan(id),
		(stale, { site }) => stale("deletePlan", site),
		{ onDone: onClose },
	);
	const plan = view?.plan;
	const close = () => {
		remove.reset();
		onClose();
	};
	return (
		<Dialog
			opened={view !== null}
			onClose={close}
			title={t("delete.title", { plan: plan?.name ?? "" })}
			confirm={t("delete.confirm")}
			irreversible
			busy={remove.isPending}
			onConfirm={() => plan && remove.mutate(plan)}
		>
			<Text mod="anywhere">{plan?.folder ? t("delete.body", { folder: plan.folder }) : t("delete.bodyNoFolder")}</Text>
			{remove.error ? <ProblemNotice problem={remove.error} /> : null}
		</Dialog>
	);
}
