import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportReport } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { formatList } from "@/lib/format";
import { didNotStart } from "@/lib/service-state";
import { joined } from "@/messages/isolated";

/** So many fit a line; the report has them all. */
const most = 3;

/** Which services did not start: the first of them by name, and how many more. */
export function FailedNames({ report }: { report: ImportReport }) {
	const { t } = useTranslation("run");
	const names = failedNames(report);
	if (names.length === 0) return null;
	const more = report.counts.failedServices - names.length;
	return (
		<Text mod="anywhere">
			<Breakable>
				{more > 0
					? t("failedNamesMore", { names: joined(names, ", "), count: more })
					: t("failedNames", { names: formatList(names) })}
			</Breakable>
		</Text>
	);
}

function failedNames({ sources }: ImportReport): string[] {
	const names: string[] = [];
	for (const { messages } of sources) {
		for (const message of messages) {
			if (names.length === most) return names;
			if (message.service?.service && didNotStart(message)) names.push(message.service.service);
		}
	}
	return names;
}
