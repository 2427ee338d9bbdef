import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatTime } from "@/lib/format";
import { Exact } from "./time";

/** When something was done, with the word that says so. */
export function DoneAt({ at }: { at: Millis }) {
	const { t } = useTranslation("run");
	return (
		<Text component="div" c="dimmed">
			<Exact at={at} words={t("at", { time: formatTime(at) })} />
		</Text>
	);
}
