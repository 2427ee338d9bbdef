import { Box, Group, Paper, Stack, Text } from "@mantine/core";
import {
	IconAlertTriangle,
	IconCircleCheck,
	IconCircleX,
	IconInfoCircle,
	IconPlayerPause,
	type IconProps,
} from "@tabler/icons-react";
import { type ComponentType, type CSSProperties, type ReactNode, useId } from "react";
import classes from "./notice.module.css";

export type Tone = "succeeded" | "warnings" | "failed" | "unknown" | "notSent";

const icons: Record<Tone, ComponentType<IconProps>> = {
	succeeded: IconCircleCheck,
	warnings: IconAlertTriangle,
	failed: IconCircleX,
	unknown: IconInfoCircle,
	notSent: IconPlayerPause,
};

interface NoticeProps {
	tone: Tone;
	/** Replaces the icon of the tone. */
	icon?: ComponentType<IconProps>;
	title: ReactNode;
	/** `alert` interrupts a screen reader, `status` waits for a pause. Default: `alert` for failures. */
	role?: "alert" | "status";
	children?: ReactNode;
}

export function Notice(props: NoticeProps) {
	const { tone, icon: Icon = icons[tone], title, role = tone === "failed" ? "alert" : "status", children } = props;
	const titleId = useId();
	const style = { "--notice-tone": `var(--tone-${tone})` } as CSSProperties;
	return (
		<Paper withBorder px="sm" py={10} role={role} aria-labelledby={titleId} className={classes.notice} style={style}>
			<Group align="flex-start" wrap="nowrap" gap="sm">
				<Icon className={classes.icon} size={18} aria-hidden />
				<Stack gap="xs" flex={1} miw={0}>
					<Box id={titleId}>{typeof title === "string" ? <Text fw={600}>{title}</Text> : title}</Box>
					{children}
				</Stack>
			</Group>
		</Paper>
	);
}
