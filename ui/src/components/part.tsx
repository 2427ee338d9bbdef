import { Badge, Stack, Text } from "@mantine/core";
import { IconPlayerPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Part } from "@/bridge";
import { useProblemText } from "@/lib/problem-words";
import { OutcomeBadge } from "./outcome";

const outcomes = { done: "succeeded", refused: "failed", unknown: "unknown" } as const;

/** How one of several ended, in a word. */
export function PartBadge({ part }: { part: Part<unknown> }) {
	const { t } = useTranslation("run");
	if (part.kind !== "notSent") return <OutcomeBadge outcome={outcomes[part.kind]} />;
	return (
		<Badge
			variant="default"
			tt="none"
			fw={500}
			leftSection={<IconPlayerPause size={14} color="var(--mantine-color-dimmed)" aria-hidden />}
		>
			{t("several.notSent")}
		</Badge>
	);
}

/** The same with its reason, for a cell of a table. */
export function PartEnd({ part }: { part: Part<unknown> }) {
	const { t } = useTranslation("run");
	const problemText = useProblemText();
	const problem = part.kind === "refused" || part.kind === "unknown" ? part.problem : null;
	return (
		<Stack gap={2} align="flex-start">
			<PartBadge part={part} />
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
