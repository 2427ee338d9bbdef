import { rem, ScrollArea } from "@mantine/core";
import type { ReactNode } from "react";

interface LongTextProps {
	/** Number of characters. */
	length: number;
	/** Name for a screen reader, which can scroll it. */
	label: string;
	children: ReactNode;
}

/** About 20 lines. A longer text is scrolled by itself, so that the buttons below it stay in view. */
const fits = 1500;

/** Text of a site, which can be as long as 8 kB, or many of them. */
export function LongText({ length, label, children }: LongTextProps) {
	if (length <= fits) return children;
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
