import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type PlanView, useBackend } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useStale } from "@/lib/stale";

/** Asks before a plan is deleted. */
export function DeletePlan({ view, onClose }: { view: PlanView | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const backend = useBackend();
	const stale = useStale();
	const remove = useMutation({
		mutationFn: ({ id }: BackupPlan) => backend.deletePlan(id),
		onSuccess: (_, { site }) => {
			onClose();
			return stale("deletePlan", site);
		},
	});
	const plan = view?.plan;
	return (
		<Dialog
			opened={view !== null}
			onClose={onClose}
			title={t("delete.title", { plan: plan?.name ?? "" })}
			confirm={t("delete.confirm")}
			irreversible
			busy={remove.isPending}
			onConfirm={() => plan && remove.mutate(plan)}
		>
			<Text style={{ overflowWrap: "anywhere" }}>
				{plan?.folder ? t("delete.body", { folder: plan.folder }) : t("delete.bodyNoFolder")}
			</Text>
			{remove.error ? <ProblemNotice problem={remove.error} /> : null}
		</Dialog>
	);
}
