import { Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatAgo, formatExactTime, formatTime, formatTimeOfDay } from "@/lib/format";
import { useNow } from "@/lib/use-now";

interface TimeProps {
	at: Millis;
	/** Shows the age instead of the time. */
	relative?: boolean;
	/** `day`: only the time of day, for a row below its date. The row has the focus then. */
	of?: "day";
}

/** Local time. The exact time is shown on hover and focus. */
export function Time({ at, relative = false, of }: TimeProps) {
	if (of === "day") return <Exact at={at} words={formatTimeOfDay(at)} hasOwnFocus={false} />;
	return <Exact at={at} words={relative ? <Ago at={at} /> : formatTime(at)} />;
}

/** Custom text for a time, with the exact time in a tooltip for pointer and keyboard. */
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

export function DoneAt({ at }: { at: Millis }) {
	const { t } = useTranslation("run");
	return (
		<Text component="div" c="dimmed">
			<Exact at={at} words={t("at", { time: formatTime(at) })} />
		</Text>
	);
}
