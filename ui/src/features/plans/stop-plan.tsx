import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BackupPlan } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/problem-notice";
import { useCommand } from "@/lib/use-command";

export function StopPlan({ plan, onClose }: { plan: BackupPlan | null; onClose: () => void }) {
	const { t } = useTranslation("plans");
	const stop = useCommand(
		(backend) => backend.stopPlanRun(),
		(stale) => stale("stopPlanRun"),
		{ onDone: onClose },
	);
	const close = () => {
		stop.reset();
		onClose();
	};
	return (
		<Dialog
			opened={plan !== null}
			onClose={close}
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
