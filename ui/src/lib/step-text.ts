import { useTranslation } from "react-i18next";
import type { RunStep } from "@/bridge";
import { formatSize } from "./format";

/** Bytes after which a transfer of unknown size is announced again. */
const announcedBytes = 100_000_000;

/** Returns the step as screen readers announce it: once for each quarter, not for each byte or request. */
export function announced(step: RunStep | null): RunStep | null {
	if (step === null || !("done" in step)) return step;
	const part = step.total === null ? announcedBytes : Math.max(1, step.total / 4);
	return { ...step, done: Math.floor(Math.floor(step.done / part) * part) };
}

/** Returns in a few words what a run is doing. `step`: `null` until the backend reports one. */
export function useStepText(step: RunStep | null): string {
	const { t } = useTranslation();
	if (step === null) return t("step.starting");
	switch (step.kind) {
		case "asking":
			return t("step.asking");
		case "preparing":
			return t("step.preparing");
		case "checking":
			return t("step.checking");
		case "checkingExport":
			return t("step.checkingExport");
		case "waiting":
			return t("step.waiting");
		case "downloading":
			return step.total === null
				? t("step.downloading", { done: formatSize(step.done) })
				: t("step.downloadingOf", { done: formatSize(step.done), total: formatSize(step.total) });
		case "uploading":
			return t("step.uploading", { done: formatSize(step.done), total: formatSize(step.total) });
		case "services":
			return t("step.services", { count: step.total, done: step.done, total: step.total });
		case "batch":
			return t("step.batch", { done: step.done, total: step.total });
		case "arriving":
			return t("step.arriving");
		case "confirming":
			return t("step.confirming");
		case "securing":
			return t("step.securing");
		case "verifying":
			return t("step.verifying");
		case "takingInventory":
			return t("step.takingInventory");
		case "verifyingExport":
			return t("step.verifyingExport");
		case "verifyingFile":
			return step.total === null
				? t("step.verifyingExport")
				: t("step.verifyingFile", { done: formatSize(step.done), total: formatSize(step.total) });
		case "countingPortal":
			return t("step.countingPortal");
		case "checkingServices":
			return t("step.checkingServices");
		case "reactivating":
			return t("step.reactivating");
		case "saving":
			return t("step.saving");
	}
}
