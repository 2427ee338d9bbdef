import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/dialog";
import { type NamedRun, useRunName } from "@/lib/runs";
import { stopKind } from "@/lib/stop-mode";
import { useTargetName } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { useWindowDialog } from "@/lib/use-window-dialog";

interface StopDialogProps {
	/** Run that the dialog is about; `null` closes the dialog. */
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
	const stop = useCommand(async (backend) => run && backend.stopRun(run.id), ["stopRun"], { onDone });
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

/** Button that stops the run of the page after a confirmation. Hidden if there is nothing to stop. */
export function StopButton({ run }: { run: NamedRun }) {
	const { t } = useTranslation(["run", "common"]);
	// The run as it was when the dialog opened, so that its texts do not change.
	const [asking, setAsking] = useState<NamedRun | null>(null);
	const [stopped, setStopped] = useState(false);
	const kind = stopKind(run.step, run.operation);
	// Stop does not interrupt the current item of a batch.
	const stopping = stopped && run.step?.kind === "batch";
	return (
		<>
			{kind === null ? null : (
				<Button disabled={stopping} onClick={() => setAsking(run)}>
					{stopping ? t("stopping") : t(`common:operationsPanel.stop.${kind}.button`)}
				</Button>
			)}
			<StopDialog run={asking} onClose={() => setAsking(null)} onStopped={() => setStopped(true)} />
		</>
	);
}
