import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatTime } from "@/lib/format";
import { Exact } from "./time";

export function DoneAt({ at }: { at: Millis }) {
	const { t } = useTranslation("run");
	return (
		<Text component="div" c="dimmed">
			<Exact at={at} words={t("at", { time: formatTime(at) })} />
		</Text>
	);
}
