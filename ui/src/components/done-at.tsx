import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatTime } from "@/lib/format";
import { Notice } from "./notice";
import { Exact } from "./text";

/** When an operation was done, with the exact time in a tooltip. */
export function DoneAt({ at }: { at: Millis }) {
	const { t } = useTranslation("run");
	return (
		<Text component="div" c="dimmed">
			<Exact at={at} words={t("at", { time: formatTime(at) })} />
		</Text>
	);
}

/** Warning that no history entry was written, beside an outcome that does not mention it. */
export function NotRecorded({ several = false }: { several?: boolean }) {
	const { t } = useTranslation("run");
	return (
		<Notice tone="warnings" title={t("notRecorded.title")}>
			<Text>
				{t(several ? "notRecorded.batch" : "notRecorded.one")} {t("notRecorded.do")}
			</Text>
		</Notice>
	);
}
