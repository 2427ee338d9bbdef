import { Button, Group, Loader, Paper, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OperationKey, SiteView } from "@/bridge";
import { formatClock } from "@/lib/format";
import { useStepText } from "@/lib/step-text";
import { stopKind } from "@/lib/stop-mode";
import { useTargetNameOf } from "@/lib/target-name";
import { useNow } from "@/lib/use-now";
import type { OperationState } from "@/lib/use-operation";
import { pageWidths } from "./page";

interface RunPanelProps {
	operation: OperationKey;
	site: SiteView;
	state: Extract<OperationState<unknown, unknown>, { kind: "running" }>;
	stop: () => void;
}

/** What runs now, for how long, and the way to stop it. */
export function RunPanel({ operation, site, state, stop }: RunPanelProps) {
	const { t } = useTranslation(["run", "common"]);
	const target = useTargetNameOf(operation, site);
	const now = useNow(1_000);
	const step = useStepText(state.step);
	// Of several, Stop ends none in the middle.
	const batch = state.step?.kind === "batch" ? state.step : null;
	const kind = stopKind(state.step, operation);
	const [stopping, setStopping] = useState(false);
	return (
		<Paper withBorder p="md" maw={pageWidths.column}>
			<Stack gap="xs">
				<Group wrap="nowrap" gap="sm">
					<Loader size={20} aria-hidden />
					<Text fw={600} flex={1} role="status">
						{t("running", { operation: t(`common:operation.${operation}.name`), site: target })}
					</Text>
					<Text ff="monospace" role="timer" aria-label={t("elapsed")}>
						{formatClock(now - state.startedAt)}
					</Text>
				</Group>
				<Text size="sm">{step}</Text>
				{batch ? (
					<Progress value={(batch.done / batch.total) * 100} aria-label={t("progress")} transitionDuration={200} />
				) : null}
				<Text size="sm" c="dimmed">
					{kind === null
						? t("stopHint.asking")
						: `${t("keepWorking")} ${t(`stopHint.${kind === "uploading" ? "waiting" : kind}`, { site: target })}`}
				</Text>
				{kind === null ? null : (
					<Group>
						<Button
							size="xs"
							variant="default"
							disabled={stopping}
							onClick={() => {
								setStopping(batch !== null);
								stop();
							}}
						>
							{stopping ? t("stopping") : t(`common:operationsPanel.stop.${kind}.button`)}
						</Button>
					</Group>
				)}
			</Stack>
		</Paper>
	);
}
