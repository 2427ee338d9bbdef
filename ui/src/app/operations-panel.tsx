import { Box, ScrollArea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "@/bridge";
import { StopDialog } from "@/components/stop-dialog";
import classes from "./operations-panel.module.css";
import { type Dock, EndedRow, RunningRow, UnknownRow } from "./operations-panel-rows";

/** Operations of all sites that are running, have ended, or have an unknown outcome. */
export function OperationsPanel({ dock }: { dock: Dock }) {
	const { t } = useTranslation();
	const [stopping, setStopping] = useState<RunView | null>(null);
	return (
		<>
			{dock.empty ? null : (
				<Box component="section" h="100%" className={classes.dock ?? ""} aria-label={t("operationsPanel.label")}>
					<ScrollArea h="100%" type="auto">
						{dock.runs.map((run) => (
							<RunningRow key={run.id} run={run} onStop={() => setStopping(run)} />
						))}
						{dock.ended.map((run) => (
							<EndedRow key={run.id} run={run} onDismiss={() => dock.dismiss(run)} />
						))}
						{dock.unknown.length > 0 ? <UnknownRow records={dock.unknown} onLater={dock.later} /> : null}
					</ScrollArea>
				</Box>
			)}
			<StopDialog
				// The run as it was when the dialog opened. The dialog stays open until the run ends.
				run={dock.runs.some(({ id }) => id === stopping?.id) ? stopping : null}
				onClose={() => setStopping(null)}
			/>
		</>
	);
}
