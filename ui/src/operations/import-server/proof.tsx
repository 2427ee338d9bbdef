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
import { Time } from "@/components/time";
import { formatNumber, formatTime } from "@/lib/format";
import { laterCheckOf } from "@/lib/queries/site";
import { useStale } from "@/lib/stale";
import { serverOf } from "@/lib/target";

const minute = 60_000;
/** Services may take minutes to start: they are checked again so long after the first check. */
const again = [minute, 5 * minute, 15 * minute];
/** The report of an older import is only shown. */
const recent = 30 * minute;
/** So many are named; the number of the others is given. */
const named = 10;

interface ProofProps {
	site: SiteView;
	proof: ImportProof;
	later: LaterChecks;
}

/** Whether everything is back, and again after some minutes while a service that should run does not. */
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
	/** The first check and the later ones. */
	checks: readonly ServiceCheck[];
	children?: ReactNode;
}

/** The services after an import, beside those before it and those of the export. */
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
					<Text>
						{t("counts", { before: formatNumber(proof.servicesBefore), after: formatNumber(check.services) })}
					</Text>
				)}
				{proof.lost === null ? <Text>{t("noInventory")}</Text> : null}
				{proof.lost !== null && proof.lost.length > 0 ? (
					<>
						<Text>{t("lost", { count: proof.lost.length })}</Text>
						<List>
							{proof.lost.slice(0, named).map((path) => (
								<List.Item key={path} style={{ overflowWrap: "anywhere" }}>
									{path}
								</List.Item>
							))}
						</List>
						{proof.lost.length > named ? <Text>{t("more", { count: proof.lost.length - named })}</Text> : null}
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

/** The checks after an import that the record keeps. */
export function checksOf({ check, later = [] }: ImportProof): ServiceCheck[] {
	return check === null ? [] : [check, ...later];
}

/** When the next check is due, after the last one was `tried`; `null` if none is. */
function nextCheck(checks: readonly ServiceCheck[], tried: number): number | null {
	const [first, last] = [checks[0], checks.at(-1)];
	if (!first || !last || last.notRunning.length === 0 || Date.now() - first.checkedAt > recent) return null;
	const time = again.find((time) => first.checkedAt + time > tried);
	return time === undefined ? null : first.checkedAt + time;
}

interface LaterChecks {
	checks: readonly ServiceCheck[];
	/** When the last check was made if it failed; 0 if it did not. */
	failedAt: number;
	problem: Problem | null;
	/** When the next one is due; `null` if none is. */
	next: number | null;
	/** Makes no more of them. */
	stop: () => void;
}

/**
 * The checks after an import, with those that are made while this is shown; none without a proof. Each is made once, and
 * kept by the record of the import, if there is one. None is made while the whole site is checked.
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
