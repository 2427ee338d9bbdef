import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Parameter } from "@/bridge";
import { RecoveryNotice } from "@/components/recovery-notice";
import { parameterOf } from "@/lib/history-text";
import { useBring } from "@/lib/navigation";
import type { RecoveryProps } from "@/lib/operation-ui";

/** Button that opens the form with the replaced contact. */
export function Recovery({ entry, site }: RecoveryProps) {
	const { t } = useTranslation("history");
	const bring = useBring();
	const before = contactBefore(entry);
	if (!before) return null;
	const { contact, parameters } = before;
	return (
		<RecoveryNotice title={t("details.recovery.restore")} text={t("details.recovery.restoreWhat", { contact })}>
			<Button
				onClick={() =>
					bring({ site: site.id, server: entry.server }, "update_participant", { parameters, sentAt: null })
				}
			>
				{t("details.recovery.restoreDo")}
			</Button>
		</RecoveryNotice>
	);
}

interface ContactBefore {
	contact: string;
	parameters: Parameter[];
}

const identifiers = ["collaborationId", "participantId"] as const;
/** Parameters of the request, each with the name under which the entry stores the previous value. */
const parts = [
	["contactFirstname", "previousContactFirstname"],
	["contactLastname", "previousContactLastname"],
	["contactEmailAddress", "previousContactEmailAddress"],
] as const;

/**
 * Returns the contact that an update replaced; `null` if nothing changed or the previous contact had no email address.
 */
export function contactBefore({ summary, parameters }: HistoryEntry): ContactBefore | null {
	if (summary?.kind !== "contact" || !summary.changed || !summary.before) return null;
	if (parameterOf(parameters, "previousContactEmailAddress") === "") return null;
	return {
		contact: summary.before,
		parameters: [
			...identifiers.map((name) => ({ name, value: parameterOf(parameters, name) })),
			...parts.map(([name, before]) => ({ name, value: parameterOf(parameters, before) })),
		],
	};
}
