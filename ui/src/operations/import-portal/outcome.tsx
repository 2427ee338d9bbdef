import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { PortalImportReport } from "@/bridge";
import { FurtherResponse } from "@/components/further-response";
import { WarningList } from "@/components/warning-list";
import { isEqual } from "./comparison";

/** Whether the portal has something else than the export after an import. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && !isEqual(proof.comparison.rows);
}

/** The outcome of an import or its undo, as in the history. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}

/** What the portal remarked. */
export function Remarks({ report: { warned, messages, further } }: { report: PortalImportReport }) {
	const { t } = useTranslation("importPortal");
	return (
		<>
			{warned && messages.length === 0 ? <Text>{t("warnedWithoutDetails")}</Text> : null}
			<WarningList title={t("warningsTitle")} messages={messages} />
			<FurtherResponse lines={further} />
		</>
	);
}
