import { Group, Text, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconClock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { Small } from "@/components/text";
import { formatDuration, formatExactTime, formatTime, formatWeekday } from "@/lib/format";
import { groupOf, hour, type Group as Urgency } from "./confirm";

const signs: Record<Urgency, [typeof IconClock, string]> = {
	expired: [IconCircleX, "var(--tone-failed)"],
	day: [IconAlertTriangle, "var(--tone-warnings)"],
	three: [IconClock, "var(--mantine-color-dimmed)"],
	later: [IconClock, "var(--mantine-color-dimmed)"],
	unsaid: [IconClock, "var(--mantine-color-dimmed)"],
};

/** Expiration of an invitation: time, remaining time, and an icon for the urgency. */
export function Expiry({ end, now }: { end: Millis | null; now: Millis }) {
	const { t } = useTranslation("refreshInvitation");
	if (end === null) return <Text>{t("noExpiry")}</Text>;
	const [Icon, color] = signs[groupOf(end, now)];
	const near = Math.abs(end - now) < 6 * 24 * hour;
	return (
		<Tooltip label={formatExactTime(end)}>
			<Group gap="xs" wrap="nowrap" align="flex-start">
				<Icon size={16} color={color} aria-hidden style={{ marginBlockStart: 2 }} />
				<Text component="time" dateTime={new Date(end).toISOString()}>
					{near ? formatWeekday(end) : formatTime(end)}
					<Small span display="block">
						{t(end > now ? "in" : "since", { left: left(end, now) })}
					</Small>
				</Text>
			</Group>
		</Tooltip>
	);
}

/** Returns the distance to a time, for example "42 min" or "71 h": in hours, because the validity is 72 hours. */
function left(end: Millis, now: Millis): string {
	const away = Math.abs(end - now);
	if (away < hour) return formatDuration(Math.max(1, Math.round(away / 60_000)) * 60_000);
	return formatDuration(Math.round(away / hour) * hour);
}
