import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Outcome, SiteView } from "@/bridge";
import { RecoveryNotice } from "@/components/recovery-notice";
import { operationOfEntry, useOperationUis } from "@/lib/operation-ui";
import { OutcomeCheck } from "./outcome-check";

interface RecoveryProps {
	entry: HistoryEntry;
	outcome: Outcome;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	/** Whether the outcome is checked at once. */
	checked: boolean;
	onClose: () => void;
}

export function Recovery({ entry, outcome, site, checked, onClose }: RecoveryProps) {
	const { t } = useTranslation("history");
	const OfOperation = operationOfEntry(useOperationUis(), entry.operation)?.Recovery;
	return (
		<>
			{/* A run of a plan has no outcome to check; its parts do. */}
			{outcome === "unknown" && entry.operation !== "run_plan" && entry.operation !== "rehearse" ? (
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
