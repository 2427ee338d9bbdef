import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import type { Millis } from "@/bridge";
import { formatAgo, formatExactTime, formatTime, formatTimeOfDay } from "@/lib/format";
import { useNow } from "@/lib/use-now";

interface TimeProps {
	at: Millis;
	/** Says how long ago instead. */
	relative?: boolean;
	/** `day`: the time of day alone, where the day stands beside it. The row that it stands in has the focus. */
	of?: "day";
}

/** A moment in local time; exact on hover, and with the focus. */
export function Time({ at, relative = false, of }: TimeProps) {
	if (of === "day") return <Exact at={at} words={formatTimeOfDay(at)} hasOwnFocus={false} />;
	return <Exact at={at} words={relative ? <Ago at={at} /> : formatTime(at)} />;
}

/** A moment in words of its own, with the exact time for the pointer and for the keyboard. */
export function Exact({ at, words, hasOwnFocus = true }: { at: Millis; words: ReactNode; hasOwnFocus?: boolean }) {
	return (
		<Tooltip label={formatExactTime(at)}>
			<time dateTime={new Date(at).toISOString()} {...(hasOwnFocus ? { tabIndex: 0 } : {})}>
				{words}
			</time>
		</Tooltip>
	);
}

function Ago({ at }: { at: Millis }) {
	return formatAgo(at, useNow(30_000));
}
