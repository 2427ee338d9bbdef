import { Box, Group, Paper, rem, Stack, Text } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import { type ComponentType, type CSSProperties, type ReactNode, useId } from "react";
import classes from "./notice.module.css";
import { pageWidths } from "./page";

/** That of a form; what is wider than one sets `--notice-width` for the notices above it. */
const noticeWidth = `var(--notice-width, ${rem(pageWidths.column)})`;

export type Tone = "succeeded" | "warnings" | "failed" | "unknown" | "notSent";

interface NoticeProps {
	tone: Tone;
	icon: ComponentType<IconProps>;
	title: ReactNode;
	/** `alert` interrupts a screen reader, `status` waits for a pause. */
	role: "alert" | "status";
	children?: ReactNode;
}

export function Notice({ tone, icon: Icon, title, role, children }: NoticeProps) {
	const titleId = useId();
	const style = { "--notice-tone": `var(--tone-${tone})` } as CSSProperties;
	return (
		<Paper
			withBorder
			p="md"
			maw={noticeWidth}
			role={role}
			aria-labelledby={titleId}
			className={classes.notice}
			style={style}
		>
			<Group align="flex-start" wrap="nowrap" gap="sm">
				<Icon className={classes.icon} size={22} aria-hidden />
				<Stack gap="xs" flex={1} miw={0}>
					<Box id={titleId}>
						{typeof title === "string" ? (
							<Text size="md" fw={600}>
								{title}
							</Text>
						) : (
							title
						)}
					</Box>
					{children}
				</Stack>
			</Group>
		</Paper>
	);
}
