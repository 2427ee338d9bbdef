import { Badge, Text, VisuallyHidden } from "@mantine/core";
import {
	IconAlertTriangle,
	IconCircleCheck,
	IconCircleX,
	IconClockPlay,
	IconHelpCircle,
	IconPlayerPause,
	type IconProps,
} from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Outcome as HistoryOutcome } from "@/bridge";
import { Notice, type Tone } from "./notice";

const icons: Record<HistoryOutcome, ComponentType<IconProps>> = {
	succeeded: IconCircleCheck,
	warnings: IconAlertTriangle,
	failed: IconCircleX,
	unknown: IconHelpCircle,
	notSent: IconPlayerPause,
	sent: IconClockPlay,
};

export type OutcomeName = Tone;

interface OutcomeProps {
	outcome: OutcomeName;
	/** What happened, in one sentence with time and place. */
	title: string;
	children?: ReactNode;
}

/** The banner over a result. It is found by role "status" ("alert" for failed) and by its word and title. */
export function Outcome({ outcome, title, children }: OutcomeProps) {
	const { t } = useTranslation();
	return (
		<Notice
			tone={outcome}
			icon={icons[outcome]}
			title={
				<>
					<VisuallyHidden>{t(`outcome.${outcome}`)}</VisuallyHidden>{" "}
					<Text fw={600} mod="anywhere">
						{title}
					</Text>
				</>
			}
		>
			{children}
		</Notice>
	);
}

interface OutcomeIconProps {
	outcome: HistoryOutcome;
	size?: number;
	/** Beside or within text that may take several lines: it stands in the middle of the first one. */
	isAtFirstLine?: boolean;
}

/** The icon alone, beside its word. */
export function OutcomeIcon({ outcome, size = 16, isAtFirstLine = false }: OutcomeIconProps) {
	const Icon = icons[outcome];
	const tone = outcome === "sent" ? "var(--mantine-color-dimmed)" : `var(--tone-${outcome})`;
	const place = isAtFirstLine ? { marginBlockStart: 2, verticalAlign: "-3px" } : {};
	return <Icon size={size} color={tone} style={{ flex: "none", ...place }} aria-hidden />;
}

/** The same four, and "running", as one word in a table. */
export function OutcomeBadge({ outcome }: { outcome: HistoryOutcome }) {
	const { t } = useTranslation();
	return (
		<Badge
			variant="default"
			leftSection={<OutcomeIcon outcome={outcome} size={14} />}
			style={{ flex: "none", verticalAlign: "middle" }}
		>
			{t(`outcome.${outcome}`)}
		</Badge>
	);
}
