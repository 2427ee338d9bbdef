import { Button, Group, List, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type ImportProof,
	type Problem,
	type RecordId,
	type ServiceCheck,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { Fact, FactList } from "@/components/fact-list";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/problem-notice";
import { ServiceFacts, useServiceCount } from "@/components/service-verdict";
import { Lines } from "@/components/text";
import { Time } from "@/components/time";
import { formatTime } from "@/lib/format";
import { laterCheckOf } from "@/lib/queries/site";
import { useStale } from "@/lib/stale";
import { serverOf } from "@/lib/target";

const minute = 60_000;
/** Delays of further checks after the first one, in milliseconds: services can take minutes to start. */
const checkDelays = [minute, 5 * minute, 15 * minute];
/** Age after which a report is not checked again, in milliseconds. */
const recheckAge = 30 * minute;
/** Services named; the others are counted. */
const namedServices = 10;

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

interface ProofVerdictProps {
	target: Target;
	proof: ImportProof;
	checks: readonly ServiceCheck[];
	children?: ReactNode;
}

/** Services after an import, compared with those before it and those of the export. */
export function ProofVerdict({ target, proof, checks, children }: ProofVerdictProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const countOf = useServiceCount();
	const check = checks.at(-1);
	if (check === undefined) return <Text>{t("notChecked")}</Text>;
	const earlier = checks.slice(0, -1);
	return (
		<Stack gap="xs" component="section" aria-label={t("label")}>
			<FactList>
				<Fact name={t("services")}>
					<span role="status">{countOf(check)}</span>
				</Fact>
			</FactList>
			<ServiceFacts target={target} check={check} earlier={earlier}>
				{proof.servicesBefore === null ? null : (
					<Text>{t("counts", { before: proof.servicesBefore, after: check.services })}</Text>
				)}
				{proof.lost === null ? <Text>{t("noInventory")}</Text> : null}
				{proof.lost !== null && proof.lost.length > 0 ? (
					<>
						<Text>{t("lost", { count: proof.lost.length })}</Text>
						<Lines lines={proof.lost.slice(0, namedServices)} />
						{proof.lost.length > namedServices ? (
							<Text>{t("more", { count: proof.lost.length - namedServices })}</Text>
						) : null}
					</>
				) : null}
				{earlier.length === 0 ? null : (
					<Foldable title={t("earlier")}>
						<List>
							{earlier.map((one) => (
								<List.Item key={one.checkedAt}>
									<Time at={one.checkedAt} /> {countOf(one)}
								</List.Item>
							))}
						</List>
					</Foldable>
				)}
				{children}
			</ServiceFacts>
		</Stack>
	);
}

/** Returns the checks that the history entry contains. */
export function checksOf({ check, later = [] }: ImportProof): ServiceCheck[] {
	return check === null ? [] : [check, ...later];
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
 * the history entry if there is one. Without a proof, there are none, nor while the whole site is checked.
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
