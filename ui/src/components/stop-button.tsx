import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NamedRun } from "@/lib/run-name";
import { stopKind } from "@/lib/stop-mode";
import { StopDialog } from "./stop-dialog";

interface StopButtonProps {
	run: NamedRun;
}

/** Button that stops the run of the page after a confirmation. Hidden if there is nothing to stop. */
export function StopButton({ run }: StopButtonProps) {
	const { t } = useTranslation(["run", "common"]);
	// The run as it was when the dialog opened. The dialog stays open until the run ends.
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
