import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryEntry,
	type HistoryKey,
	type OperationKey,
	type Outcome,
	operations,
	type RunView,
	type SiteId,
} from "@/bridge";
import { parameterOf } from "./parameter-of";

type Act = Exclude<HistoryKey, OperationKey>;

/** Of each, whether it leaves a record: a check does not. */
const acts: Record<Act, boolean> = {
	unlock: true,
	lock: true,
	deactivate_webhook: true,
	reactivate_webhooks: true,
	upload: true,
	discard_upload: true,
	delete_upload: true,
	sign_in: true,
	sign_out: true,
	trust_certificate: true,
	add_site: true,
	change_site: true,
	remove_site: true,
	change_connection: true,
	set_data_aside: true,
	run_plan: true,
	validate_data_items: false,
	find_data_use: false,
	verify_export: false,
};

/** Everything that a record can be about beside the operations. */
export const historyActs = (Object.keys(acts) as Act[]).filter((act) => acts[act]);

export function isAct(key: HistoryKey): key is Act {
	return key in acts;
}

/**
 * The outcome of a record to show. Where nothing runs on its site, neither here nor in the runner of backup plans, one that says
 * it still runs could not be written.
 */
export function outcomeNow({ outcome, site, isInRunner }: HistoryEntry, busy: ReadonlySet<SiteId>): Outcome {
	return outcome === "sent" && !isInRunner && !busy.has(site) ? "unknown" : outcome;
}

/** The name of what a record is about: an operation, or an action. */
export function useHistoryName(): (key: HistoryKey) => string {
	const { t } = useTranslation("common");
	return useCallback((key) => (isAct(key) ? t(`historyAction.${key}`) : t(`operation.${key}.name`)), [t]);
}

/** The name of what a record is about. What was done around an import is told apart from what a person asked for. */
export function useEntryName(): (entry: HistoryEntry) => string {
	const { t } = useTranslation("common");
	const nameOf = useHistoryName();
	const runNameOf = useNameOfRun();
	return useCallback(
		(entry) => {
			const { operation } = entry;
			if (parameterOf(entry.parameters, "undoes") && !isAct(operation))
				return runNameOf({ operation, act: null, isUndo: true });
			return parameterOf(entry.parameters, "purpose") ? t("safetyBackup") : nameOf(entry.operation);
		},
		[t, nameOf, runNameOf],
	);
}

/** The name of what runs or has ended, by which the history has it, too. */
export function useNameOfRun(): (run: Pick<RunView, "operation" | "act" | "isUndo">) => string {
	const { t } = useTranslation("common");
	const nameOf = useHistoryName();
	return useCallback(
		({ operation, act, isUndo }) => {
			const component = operations.find(({ key }) => key === operation)?.component;
			return isUndo && component ? t(`undoneImport.${component}`) : nameOf(act ?? operation);
		},
		[t, nameOf],
	);
}
