import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { BatchItemResult } from "@/bridge";
import { useProblemSummary } from "@/lib/problem-text";
import { OutcomeBadge } from "./outcome";

const outcomes = { done: "succeeded", refused: "failed", unknown: "unknown", notSent: "notSent" } as const;

/** How one of several ended, in a word. */
export function BatchItemBadge({ part }: { part: BatchItemResult<unknown> }) {
	return <OutcomeBadge outcome={outcomes[part.kind]} />;
}

/** The same with its reason, for a cell of a table. */
export function BatchItemEnd({ part }: { part: BatchItemResult<unknown> }) {
	const { t } = useTranslation("run");
	const problemText = useProblemSummary();
	const problem = part.kind === "refused" || part.kind === "unknown" ? part.problem : null;
	return (
		<Stack gap={2} align="flex-start">
			<BatchItemBadge part={part} />
			{problem ? (
				<Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
					{problemText(problem)}
				</Text>
			) : null}
			{part.kind === "unknown" ? (
				<Text size="xs" c="dimmed">
					{t("several.look")}
				</Text>
			) : null}
		</Stack>
	);
}
