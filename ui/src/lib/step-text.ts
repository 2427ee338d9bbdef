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
	const done = "done" in step && { done: formatSize(step.done) };
	const total = "total" in step && step.total !== null && { total: formatSize(step.total) };
	switch (step.kind) {
		case "downloading":
			return total ? t("step.downloadingOf", { ...done, ...total }) : t("step.downloading", { ...done });
		case "uploading":
			return t("step.uploading", { ...done, ...total });
		case "services":
			return t("step.services", { count: step.total, done: step.done, total: step.total });
		case "batch":
			return t("step.batch", { done: step.done, total: step.total });
		case "verifyingFile":
			return total ? t("step.verifyingFile", { ...done, ...total }) : t("step.verifyingExport");
		default:
			return t(`step.${step.kind}`);
	}
}
