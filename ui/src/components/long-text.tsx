import { Box, rem, ScrollArea, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Lines } from "./text";

interface LongTextProps {
	/** Number of characters. */
	length: number;
	/** Accessible name of the scrollable region. */
	label: string;
	children: ReactNode;
}

/** Characters shown in full, about 20 lines. A longer text scrolls, so that the buttons below stay in view. */
const lengthInFull = 1500;

/** Text returned by a site, which can be 8 kB long or consist of many messages. */
export function LongText({ length, label, children }: LongTextProps) {
	if (length <= lengthInFull) return children;
	return (
		<ScrollArea.Autosize
			mah={rem(320)}
			type="auto"
			offsetScrollbars
			viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
		>
			{children}
		</ScrollArea.Autosize>
	);
}

/** List in a dialog, which scrolls if it is long, also by keyboard. */
export function LongList({ label, children }: { label: string; children: ReactNode }) {
	return (
		<Box mah={240} tabIndex={0} role="group" aria-label={label} style={{ overflow: "auto" }}>
			{children}
		</Box>
	);
}

/** Warnings returned by a site; renders nothing without any. */
export function WarningList({ title, messages }: { title: string; messages: readonly string[] }) {
	if (messages.length === 0) return null;
	return (
		<>
			<Text fw={600}>{title}</Text>
			<LongText length={messages.join().length} label={title}>
				<Lines lines={[...new Set(messages)]} />
			</LongText>
		</>
	);
}
