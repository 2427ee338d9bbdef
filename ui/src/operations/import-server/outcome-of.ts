import type { ImportReport, ServiceCheck } from "@/bridge";
import type { OutcomeName } from "@/components/outcome";
import { doAllRun } from "@/components/service-verdict";
import { areActiveAgain } from "@/lib/webhooks-left";

/**
 * Returns the outcome of an import. A server reports success even if services are stopped or missing or webhooks are
 * inactive; this counts as a warning.
 */
export function outcomeOf(report: ImportReport, check: ServiceCheck | undefined): OutcomeName {
	const { reactivated, proof } = report;
	const { errors, failedServices, warnings } = report.counts;
	if (report.isFailed) return "failed";
	if (reactivated && !areActiveAgain(reactivated)) return "warnings";
	if (check && !doAllRun(check)) return "warnings";
	if (proof?.lost && proof.lost.length > 0) return "warnings";
	return errors + failedServices + warnings > 0 ? "warnings" : "succeeded";
}
