import { Badge, Group, type GroupProps, Stack, Text, VisuallyHidden } from "@mantine/core";
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
import classes from "./fact-list.module.css";
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
	/** One sentence with time and place. */
	title: string;
	children?: ReactNode;
}

/** Banner above a result. Tests find it by the role `status` (`alert` for failures) and its text. */
export function Outcome({ outcome, title, children }: OutcomeProps) {
	return (
		<Notice tone={outcome} icon={icons[outcome]} title={<OutcomeTitle outcome={outcome} title={title} />}>
			{children}
		</Notice>
	);
}

/** Title of a result, with the word for its icon. */
export function OutcomeTitle({ outcome, title }: Omit<OutcomeProps, "children">) {
	const { t } = useTranslation();
	return (
		<>
			<VisuallyHidden>{t(`outcome.${outcome}`)}</VisuallyHidden>{" "}
			<Text fw={600} mod="anywhere">
				{title}
			</Text>
		</>
	);
}

interface OutcomeIconProps {
	outcome: HistoryOutcome;
	size?: number;
	/** Aligns the icon with the first line of text beside or around it. */
	isAtFirstLine?: boolean;
}

export function OutcomeIcon({ outcome, size = 16, isAtFirstLine = false }: OutcomeIconProps) {
	const Icon = icons[outcome];
	const tone = outcome === "sent" ? "var(--mantine-color-dimmed)" : `var(--tone-${outcome})`;
	const style = isAtFirstLine ? { marginBlockStart: 2, verticalAlign: "-3px" } : {};
	return <Icon size={size} color={tone} style={style} aria-hidden />;
}

interface WithIconProps extends Omit<GroupProps, "children" | "color"> {
	/** An icon of its own, or that of an outcome. */
	icon: ComponentType<IconProps> | HistoryOutcome;
	/** Color of an icon of its own. */
	color?: string;
	children: ReactNode;
}

/** Text with an icon at its first line. */
export function WithIcon({ icon, color = "currentColor", children, ...group }: WithIconProps) {
	const Icon = typeof icon === "string" ? null : icon;
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start" {...group}>
			{Icon ? (
				<Icon size={16} color={color} style={{ flex: "none", marginBlockStart: 2 }} aria-hidden />
			) : (
				<OutcomeIcon outcome={icon as HistoryOutcome} isAtFirstLine />
			)}
			{typeof children === "string" ? <Text mod="anywhere">{children}</Text> : children}
		</Group>
	);
}

/** Outcome as one word, for tables. */
export function OutcomeBadge({ outcome }: { outcome: HistoryOutcome }) {
	const { t } = useTranslation();
	return (
		<Badge
			variant="default"
			leftSection={<OutcomeIcon outcome={outcome} size={14} />}
			flex="none"
			style={{ verticalAlign: "middle" }}
		>
			{t(`outcome.${outcome}`)}
		</Badge>
	);
}

/** Names and values in two columns. The columns of consecutive lists are aligned. */
export function FactList({ children }: { children: ReactNode }) {
	return <dl className={classes.list}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<Text component="dt" c="dimmed">
				{name}
			</Text>
			<Text component="dd" m={0} className={classes.fact ?? ""}>
				{children}
			</Text>
		</>
	);
}

/** Fact with several texts or buttons, below each other. */
export function LongFact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Fact name={name}>
			<Stack gap="xs" pb="xs" align="flex-start">
				{children}
			</Stack>
		</Fact>
	);
}
