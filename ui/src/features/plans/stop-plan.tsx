import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, useBackend } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useStale } from "@/lib/stale";

/** Asks before the run of a plan is stopped. */
export function StopPlan({ plan, onClose }: { plan: BackupPlan | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const backend = useBackend();
	const stale = useStale();
	const stop = useMutation({
		mutationFn: () => backend.stopPlanRun(),
		onSuccess: () => {
			onClose();
			return stale("stopPlanRun");
		},
	});
	return (
		<Dialog
			opened={plan !== null}
			onClose={onClose}
			title={t("stop.title", { plan: plan?.name ?? "" })}
			cancel={t("stop.keep")}
			confirm={t("stop.confirm")}
			irreversible
			busy={stop.isPending}
			onConfirm={() => stop.mutate()}
		>
			<Text>{t("stop.body")}</Text>
			{stop.error ? <ProblemNotice problem={stop.error} /> : null}
		</Dialog>
	);
}
