import { Text, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatExactTime, formatTime } from "@/lib/format";

/** When something was done, with the word that says so; exact on hover. */
export function DoneAt({ at }: { at: Millis }) {
	const { t } = useTranslation("run");
	return (
		<Text size="sm" c="dimmed">
			<Tooltip label={formatExactTime(at)}>
				<time dateTime={new Date(at).toISOString()}>{t("at", { time: formatTime(at) })}</time>
			</Tooltip>
		</Text>
	);
}
