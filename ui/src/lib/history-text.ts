import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
	type HistoryEntry,
	type HistoryKey,
	type OperationKey,
	type Outcome,
	operations,
	type Parameter,
	type RunView,
	type SiteId,
} from "@/bridge";

type Act = Exclude<HistoryKey, OperationKey>;

/** Actions, each with whether it is recorded in the history. Checks are not. */
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
	rehearse: true,
	validate_data_items: false,
	find_data_use: false,
	verify_export: false,
};

/** Recorded actions, besides the operations. */
export const historyActs = (Object.keys(acts) as Act[]).filter((act) => acts[act]);

export function isAct(key: HistoryKey): key is Act {
	return key in acts;
}

/**
 * Returns the outcome to show for an entry.
 *
 * An entry with outcome `sent` is unknown if nothing runs on its site, neither in the app nor in the plan runner: its
 * end could not be written.
 */
export function outcomeNow({ outcome, site, isInRunner }: HistoryEntry, busy: ReadonlySet<SiteId>): Outcome {
	return outcome === "sent" && !isInRunner && !busy.has(site) ? "unknown" : outcome;
}

export function useHistoryName(): (key: HistoryKey) => string {
	const { t } = useTranslation("common");
	return useCallback((key) => (isAct(key) ? t(`historyAction.${key}`) : t(`operation.${key}.name`)), [t]);
}

/** Returns a function that names an entry. Safety backups and undone imports have names of their own. */
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

/** Returns a function that names a run as the history names its entry. */
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

/** Returns the value of a parameter by its name in the request; empty if it was not sent. */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
	return parameters.find((one) => one.name === name)?.value ?? "";
}
