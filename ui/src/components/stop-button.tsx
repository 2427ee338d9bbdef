import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NamedRun } from "@/lib/run-name";
import { stopKind } from "@/lib/stop-mode";
import { StopDialog } from "./stop-dialog";

interface StopButtonProps {
	run: NamedRun;
}

/** Stops what runs on this page, once that is confirmed; nothing while there is nothing to stop. */
export function StopButton({ run }: StopButtonProps) {
	const { t } = useTranslation(["run", "common"]);
	// What it says stays as it was when it opened; only the end of the run closes it.
	const [asking, setAsking] = useState<NamedRun | null>(null);
	const [stopped, setStopped] = useState(false);
	const kind = stopKind(run.step, run.operation);
	// Of several, Stop ends none in the middle.
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
