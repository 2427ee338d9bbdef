import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/dialog";
import { type NamedRun, useRunName } from "@/lib/run-name";
import { stopKind } from "@/lib/stop-mode";
import { useTargetName } from "@/lib/target-name";
import { useCommand } from "@/lib/use-command";
import { useWindowDialog } from "@/lib/use-window-dialog";

interface StopDialogProps {
	/** `null` closes the dialog. */
	run: NamedRun | null;
	onClose: () => void;
	onStopped?: () => void;
}

export function StopDialog({ run, onClose, onStopped }: StopDialogProps) {
	const { t } = useTranslation();
	const onDone = () => {
		onStopped?.();
		onClose();
	};
	const stop = useCommand(
		async (backend) => run && backend.stopRun(run.id),
		(stale) => stale("stopRun"),
		{ onDone },
	);
	const kind = stopKind(run?.step ?? null, run?.operation) ?? "waiting";
	const nameOf = useRunName();
	const targetOf = useTargetName();
	const site = run ? targetOf(run) : "";
	const operation = run ? t("operationsPanel.run", { operation: nameOf(run), site }) : "";
	const dialog = useWindowDialog(run !== null, () => {
		stop.reset();
		onClose();
	});
	return (
		<Dialog
			{...dialog}
			title={t(`operationsPanel.stop.${kind}.title`, { operation })}
			cancel={t(`operationsPanel.stop.${kind}.keep`)}
			confirm={t(`operationsPanel.stop.${kind}.button`)}
			irreversible
			command={stop}
			onConfirm={() => stop.mutate()}
		>
			<Text>{t(`operationsPanel.stop.${kind}.body`, { site })}</Text>
		</Dialog>
	);
}
