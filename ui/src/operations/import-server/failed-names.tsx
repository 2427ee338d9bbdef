import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportReport } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { formatList } from "@/lib/format";
import { didNotStart } from "@/lib/service-state";
import { joined } from "@/messages/isolated";

/** Number of names shown; the report lists all. */
const shownNames = 3;

/** Names of services that did not start, and the number of the others. */
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
			if (names.length === shownNames) return names;
			if (message.service?.service && didNotStart(message)) names.push(message.service.service);
		}
	}
	return names;
}
