import { Tooltip } from "@mantine/core";
import type { Millis } from "@/bridge";
import { formatAgo, formatExactTime, formatTime, formatTimeOfDay } from "@/lib/format";
import { useNow } from "@/lib/use-now";

interface TimeProps {
	at: Millis;
	/** Says how long ago instead. */
	relative?: boolean;
	/** `day`: the time of day alone, where the day stands beside it. */
	of?: "day";
}

/** A moment in local time; exact on hover. */
export function Time({ at, relative = false, of }: TimeProps) {
	const words = of === "day" ? formatTimeOfDay(at) : formatTime(at);
	return (
		<Tooltip label={formatExactTime(at)}>
			<time dateTime={new Date(at).toISOString()}>{relative ? <Ago at={at} /> : words}</time>
		</Tooltip>
	);
}

function Ago({ at }: { at: Millis }) {
	return formatAgo(at, useNow(30_000));
}
