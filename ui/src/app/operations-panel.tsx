import { Box, ScrollArea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunId } from "@/bridge";
import classes from "./operations-panel.module.css";
import { EndedRow, RunningRow, UnknownRow } from "./operations-panel-rows";
import { StopDialog } from "./stop-dialog";
import type { Dock } from "./use-operations-panel";

/** Everything that runs, has just ended or was never answered, on every site, whatever is on screen. */
export function OperationsPanel({ dock }: { dock: Dock }) {
	const { t } = useTranslation();
	const [stopping, setStopping] = useState<RunId | null>(null);
	return (
		<>
			{dock.empty ? null : (
				<Box component="section" h="100%" className={classes.dock ?? ""} aria-label={t("operationsPanel.label")}>
					<ScrollArea h="100%" type="auto">
						{dock.runs.map((run) => (
							<RunningRow key={run.id} run={run} onStop={() => setStopping(run.id)} />
						))}
						{dock.ended.map((run) => (
							<EndedRow key={run.id} run={run} onDismiss={() => dock.dismiss(run)} />
						))}
						{dock.unknown.length > 0 ? <UnknownRow records={dock.unknown} onLater={dock.later} /> : null}
					</ScrollArea>
				</Box>
			)}
			<StopDialog run={dock.runs.find(({ id }) => id === stopping) ?? null} onClose={() => setStopping(null)} />
		</>
	);
}
