import { Text } from "@mantine/core";
import {
	IconCircleCheck,
	IconCircleDashed,
	IconCircleX,
	IconClockPlay,
	IconHelpCircle,
	IconPlayerTrackNext,
	type IconProps,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { PartState } from "@/bridge";
import { boardClasses } from "@/components/board";

const icons: Record<PartState["kind"], readonly [ComponentType<IconProps>, string]> = {
	waiting: [IconClockPlay, "var(--mantine-color-dimmed)"],
	running: [IconClockPlay, "var(--mantine-color-dimmed)"],
	verifiedHere: [IconCircleCheck, "var(--tone-succeeded)"],
	// No failure: the plan may expect no more.
	onSite: [IconCircleDashed, "var(--tone-notSent)"],
	unrecognized: [IconCircleDashed, "var(--tone-warnings)"],
	failed: [IconCircleX, "var(--tone-failed)"],
	unknown: [IconHelpCircle, "var(--tone-unknown)"],
	skipped: [IconPlayerTrackNext, "var(--tone-failed)"],
};

/** The state of a part with its icon. */
export function PartStateWord({ state }: { state: PartState }) {
	const [Icon, color] = icons[state.kind];
	return (
		<span className={boardClasses.fact}>
			<Icon size={16} color={color} style={{ flex: "none" }} aria-hidden />
			<Text component="span">{usePartWord()(state)}</Text>
		</span>
	);
}

function usePartWord(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => t(`part.${state.kind === "onSite" && state.size !== null ? "onSiteSize" : state.kind}`);
}

/** Returns why a part is not as expected; empty where its state says it. */
export function usePartReason(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => {
		if (state.kind === "skipped") return t(`skip.${state.reason}`);
		return state.kind === "failed" ? t(`fault.${state.fault.kind}`) : "";
	};
}
