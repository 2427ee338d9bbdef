import { Tooltip } from "@mantine/core";
import type { Millis } from "@/bridge";
import { formatAgo, formatExactTime, formatTime } from "@/lib/format";

/** A moment in local time; exact on hover. `relative` says how long ago instead. */
export function Time({ at, relative = false }: { at: Millis; relative?: boolean }) {
	return (
		<Tooltip label={formatExactTime(at)}>
			<time dateTime={new Date(at).toISOString()}>{relative ? formatAgo(at) : formatTime(at)}</time>
		</Tooltip>
	);
}
