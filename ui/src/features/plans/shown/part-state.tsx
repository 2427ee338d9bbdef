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
import type { PartState, SetPart } from "@/bridge";
import { boardClasses } from "@/components/board";
import { faultKeyOf } from "@/lib/plan-text";
import { joined } from "@/messages/isolated";
import { isWarned } from "./set-part";

const icons: Record<PartState["kind"], readonly [ComponentType<IconProps>, string]> = {
	waiting: [IconClockPlay, "var(--mantine-color-dimmed)"],
	running: [IconClockPlay, "var(--mantine-color-dimmed)"],
	verifiedHere: [IconCircleCheck, "var(--tone-succeeded)"],
	// Not a failure: the plan might expect only this.
	onSite: [IconCircleDashed, "var(--tone-notSent)"],
	unrecognized: [IconCircleDashed, "var(--tone-warnings)"],
	failed: [IconCircleX, "var(--tone-failed)"],
	unknown: [IconHelpCircle, "var(--tone-unknown)"],
	skipped: [IconPlayerTrackNext, "var(--tone-failed)"],
};

export function PartStateWord({ part }: { part: SetPart }) {
	const { t } = useTranslation("plans");
	const wordOf = usePartWord();
	const [Icon, usual] = icons[part.state.kind];
	const isOnlyWarned = isWarned(part) && ["verifiedHere", "onSite"].includes(part.state.kind);
	const color = isOnlyWarned ? "var(--tone-warnings)" : usual;
	return (
		<span className={boardClasses.fact}>
			<Icon size={16} color={color} aria-hidden />
			<Text component="span">
				{joined([wordOf(part.state), isWarned(part) ? t("part.warned") : ""].filter(Boolean), ", ")}
			</Text>
		</span>
	);
}

function usePartWord(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => t(`part.${state.kind === "onSite" && state.size !== null ? "onSiteSize" : state.kind}`);
}

/** Returns a function that explains why a part is not as expected; empty if its state is enough. */
export function usePartReason(): (state: PartState) => string {
	const { t } = useTranslation("plans");
	return (state) => {
		if (state.kind === "skipped") return t(`skip.${state.reason}`);
		return state.kind === "failed" ? t(`fault.${faultKeyOf(state.fault)}`) : "";
	};
}
