import { Anchor, Box, Button, Group, Loader, ScrollArea, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "@/bridge";
import { formatClock } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useStepWords } from "@/lib/step-words";
import { useNow } from "@/lib/use-now";
import classes from "./run-dock.module.css";
import { StopDialog } from "./stop-dialog";

const rowHeight = 40;

/** Room for three runs; more are reached by scrolling. */
export function dockHeight(runs: number): number {
	return Math.min(Math.max(runs, 1), 3) * rowHeight + 1;
}

/** Everything that runs, on every site, whatever is on screen. */
export function RunDock({ runs }: { runs: readonly RunView[] }) {
	const { t } = useTranslation();
	const [stopping, setStopping] = useState<RunView | null>(null);
	return (
		<>
			{runs.length > 0 ? (
				<Box component="section" h="100%" aria-label={t("dock.label")}>
					<ScrollArea h="100%" type="auto">
						{runs.map((run) => (
							<RunRow key={run.id} run={run} onStop={() => setStopping(run)} />
						))}
					</ScrollArea>
				</Box>
			) : null}
			<StopDialog run={stopping} onClose={() => setStopping(null)} />
		</>
	);
}

function RunRow({ run, onStop }: { run: RunView; onStop: () => void }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const now = useNow(1_000);
	const step = useStepWords(run.step);
	const operation = t(`operation.${run.operation}.name`);
	const site = run.siteName;
	return (
		<Group h={rowHeight} px="md" gap="sm" wrap="nowrap" className={classes.row ?? ""}>
			<Loader size={16} aria-hidden />
			<Anchor
				component="button"
				type="button"
				size="sm"
				fw={500}
				truncate
				onClick={() => go({ page: "operation", site: run.site, key: run.operation })}
				aria-label={t("dock.open", { operation, site })}
			>
				{t(run.step.kind === "uploading" ? "dock.upload" : "dock.run", { operation, site })}
			</Anchor>
			<Text size="sm" c="dimmed" truncate flex={1} role="status">
				{step}
			</Text>
			<Text size="sm" ff="monospace" role="timer" aria-label={t("dock.elapsed")}>
				{formatClock(now - run.startedAt)}
			</Text>
			<Button
				size="compact-sm"
				variant="default"
				flex="none"
				onClick={onStop}
				aria-label={t("dock.stopLabel", { operation, site })}
			>
				{t("dock.stop")}
			</Button>
		</Group>
	);
}
