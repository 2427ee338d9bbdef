import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ImportProof, type Problem, type RecordId, type ServiceCheck, type SiteView, useBackend } from "@/bridge";
import { checksOf, ProofVerdict } from "@/components/import-report/verdict";
import { ProblemNotice } from "@/components/notice";
import { formatTime } from "@/lib/format";
import { laterCheckOf } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { useStale } from "@/lib/use-command";

const minute = 60_000;
/** Delays of further checks after the first one, in milliseconds: services can take minutes to start. */
const checkDelays = [minute, 5 * minute, 15 * minute];
/** Age after which a report is not checked again, in milliseconds. */
const recheckAge = 30 * minute;

interface ProofProps {
	site: SiteView;
	proof: ImportProof;
	later: LaterChecks;
}

/** Result of the checks after an import. They are repeated for some minutes while a service does not run. */
export function Proof({ site, proof, later: { checks, failedAt, problem, next, stop } }: ProofProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	return (
		<ProofVerdict target={serverOf(site)} proof={proof} checks={checks}>
			{problem === null ? null : (
				<>
					<Text>{t("laterFailed", { at: formatTime(failedAt) })}</Text>
					<ProblemNotice problem={problem} />
				</>
			)}
			{next === null ? null : (
				<Group gap="sm">
					<Text>{t("again", { at: formatTime(next) })}</Text>
					<Button onClick={stop}>{t("stop")}</Button>
				</Group>
			)}
		</ProofVerdict>
	);
}

/** Returns the time of the next check; `null` if none follows. `tried`: time of the last attempt. */
function nextCheck(checks: readonly ServiceCheck[], tried: number): number | null {
	const [first, last] = [checks[0], checks.at(-1)];
	if (!first || !last || last.notRunning.length === 0 || Date.now() - first.checkedAt > recheckAge) return null;
	const time = checkDelays.find((time) => first.checkedAt + time > tried);
	return time === undefined ? null : first.checkedAt + time;
}

interface LaterChecks {
	checks: readonly ServiceCheck[];
	/** Time of the last check if it failed; otherwise 0. */
	failedAt: number;
	problem: Problem | null;
	/** Time of the next check; `null` if none follows. */
	next: number | null;
	stop: () => void;
}

/**
 * Checks after an import: those in `proof`, and those made while the page is open. Each is made once and stored with
 * the history entry if there is one. Without a proof, or if the check of the whole site is about this import, no
 * further ones are made.
 */
export function useLaterChecks(
	site: SiteView,
	record: RecordId | null,
	proof: ImportProof | null,
	isChecked = false,
): LaterChecks {
	const [isStopped, setStopped] = useState(false);
	const stopped = isStopped || isChecked;
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const made = proof === null ? [] : checksOf(proof);
	const { data, error, errorUpdatedAt } = useQuery({
		...laterCheckOf(
			backend,
			queries,
			serverOf(site),
			record,
			made,
			(of) => void (of === null ? stale("checkServices") : stale("checkServicesAgain", of)),
		),
		initialData: made,
		initialDataUpdatedAt: made.at(-1)?.checkedAt ?? 0,
		enabled: !stopped && made.length > 0,
		retry: false,
		staleTime: "static",
		refetchInterval: ({ state }) => {
			const next = nextCheck(state.data ?? [], Math.max(state.dataUpdatedAt, state.errorUpdatedAt));
			return next === null ? false : Math.max(next - Date.now(), 1_000);
		},
		refetchIntervalInBackground: true,
	});
	const checks = data ?? made;
	const failedAt = error ? errorUpdatedAt : 0;
	const next = stopped ? null : nextCheck(checks, Math.max(checks.at(-1)?.checkedAt ?? 0, failedAt));
	return { checks, failedAt, problem: error, next, stop: () => setStopped(true) };
}
