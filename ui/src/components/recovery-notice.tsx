import { Paper, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./recovery-notice.module.css";
import { Small } from "./text";

interface RecoveryNoticeProps {
	title: string;
	text: string;
	tone?: "unknown";
	children?: ReactNode;
}

/** Possible next step for a history entry. No live region, because it is not new like a result. */
export function RecoveryNotice({ title, text, tone, children }: RecoveryNoticeProps) {
	const titleId = useId();
	return (
		<Paper
			withBorder
			component="section"
			aria-labelledby={titleId}
			p="sm"
			className={classes.recovery ?? ""}
			data-tone={tone}
		>
			<Stack gap={4} align="flex-start">
				<Text fw={600} id={titleId}>
					{title}
				</Text>
				<Small mod="anywhere">{text}</Small>
				{children}
			</Stack>
		</Paper>
	);
}
