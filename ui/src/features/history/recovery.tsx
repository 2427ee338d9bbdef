import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Outcome, SiteView } from "@/bridge";
import { RecoveryNotice } from "@/components/recovery-notice";
import { operationOfEntry, useOperationUis } from "@/lib/operation-ui";
import { OutcomeCheck } from "./outcome-check";

interface RecoveryProps {
	entry: HistoryEntry;
	outcome: Outcome;
	/** The site, while it is among the saved ones. */
	site: SiteView | null;
	/** Whether the person comes to have the outcome checked. */
	checked: boolean;
	onClose: () => void;
}

/** What can be done about what happened, one notice each. */
export function Recovery({ entry, outcome, site, checked, onClose }: RecoveryProps) {
	const { t } = useTranslation("history");
	const OfOperation = operationOfEntry(useOperationUis(), entry.operation)?.Recovery;
	return (
		<>
			{/* Of a plan's run, its parts have outcomes that can be checked. */}
			{outcome === "unknown" && entry.operation !== "run_plan" ? (
				<RecoveryNotice title={t("details.recovery.check")} tone="unknown" text={t("details.unknown")}>
					<OutcomeCheck key={entry.id} entry={entry} atOnce={checked} onLeave={onClose} />
				</RecoveryNotice>
			) : null}
			{site && OfOperation ? (
				<Suspense>
					<OfOperation entry={entry} site={site} />
				</Suspense>
			) : null}
		</>
	);
}
