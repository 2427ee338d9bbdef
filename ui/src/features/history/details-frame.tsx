import { ActionIcon, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconArrowLeft, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { Heading, Small } from "@/components/text";
import { formatDateTime } from "@/lib/format";
import { least, useRoom } from "@/lib/use-fill-height";
import { useNarrow } from "@/lib/use-narrow";
import classes from "./history-details.module.css";

interface DetailsFrameProps {
	label: string;
	operation: string;
	target: string;
	at: Millis;
	/** Whether the details take the focus. `false` while the user moves through the list by keyboard. */
	takesFocus: boolean;
	onClose: () => void;
	children: ReactNode;
}

/** Panel beside the list with the details of the open entry. */
export function DetailsFrame({ label, operation, target, at, takesFocus, onClose, children }: DetailsFrameProps) {
	const { t } = useTranslation("history");
	const narrow = useNarrow();
	const frame = useRef<HTMLDivElement>(null);
	const heading = useRef<HTMLHeadingElement>(null);
	const room = useRoom(frame);
	const leads = takesFocus || narrow;
	useEffect(() => {
		// In a narrow window, the list with the focus is hidden.
		if (leads) heading.current?.focus({ preventScroll: true });
	}, [leads]);
	return (
		<Paper
			withBorder
			ref={frame}
			component="section"
			aria-label={label}
			p="md"
			className={classes.details ?? ""}
			{...(room.height < least ? {} : { h: room.height })}
			// Focusable, so that it can be scrolled by keyboard even if it contains no control.
			tabIndex={-1}
		>
			<Stack gap="sm">
				{narrow ? (
					<Button
						leftSection={<IconArrowLeft size={16} aria-hidden />}
						onClick={onClose}
						style={{ alignSelf: "flex-start" }}
					>
						{t("report.back")}
					</Button>
				) : null}
				<div>
					<Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
						<Heading ref={heading} tabIndex={-1} className={classes.title ?? ""}>
							{operation}{" "}
							<Text span inherit fw={400} c="dimmed">
								{target}
							</Text>
						</Heading>
						{narrow ? null : (
							<ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t("details.close")}>
								<IconX size={16} aria-hidden />
							</ActionIcon>
						)}
					</Group>
					<Small>{formatDateTime(at)}</Small>
				</div>
				{children}
			</Stack>
		</Paper>
	);
}
