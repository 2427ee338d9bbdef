import { Button, Group, List, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type ImportProof,
	type ImportReport,
	type Problem,
	type ReactivatedWebhooks,
	type RecordId,
	type ServiceCheck,
	type SiteView,
	type Target,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ProblemNotice } from "@/components/notice";
import { Fact, type OutcomeName } from "@/components/outcome";
import { ProofList } from "@/components/proof-lines";
import { ServiceFacts, useServiceCount } from "@/components/service-verdict";
import { Breakable, Lines, Time } from "@/components/text";
import { formatList, formatTime } from "@/lib/format";
import { laterCheckOf } from "@/lib/queries/site";
import { areActiveAgain, didNotStart, toneOfCheck } from "@/lib/service-state";
import { serverOf } from "@/lib/target";
import { useStale } from "@/lib/use-command";
import { joined } from "@/messages/isolated";

const minute = 60_000;
/** Delays of further checks after the first one, in milliseconds: services can take minutes to start. */
const checkDelays = [minute, 5 * minute, 15 * minute];
/** Age after which a report is not checked again, in milliseconds. */
const recheckAge = 30 * minute;
/** Maximum number of services that are named; further ones are counted. */
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
			<ProofList>
				<Fact name={t("services")}>
					<span role="status">{countOf(check)}</span>
				</Fact>
			</ProofList>
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

/**
 * Returns the outcome of an import. A server reports success even if services are stopped, missing, or not listed, or if
 * webhooks are inactive; this counts as a warning.
 */
export function outcomeOf(report: ImportReport, check: ServiceCheck | undefined): OutcomeName {
	const { reactivated, proof } = report;
	const { errors, failedServices, warnings } = report.counts;
	if (report.isFailed) return "failed";
	if (reactivated && !areActiveAgain(reactivated)) return "warnings";
	if (proof?.check === null) return "warnings";
	if (check && toneOfCheck(check) !== "succeeded") return "warnings";
	if (proof?.lost && proof.lost.length > 0) return "warnings";
	return errors + failedServices + warnings > 0 ? "warnings" : "succeeded";
}

/** Number of names shown; the report lists all. */
const shownNames = 3;

/** Names of services that did not start, and the number of the others. */
export function FailedNames({ report }: { report: ImportReport }) {
	const { t } = useTranslation("run");
	const names = failedNames(report);
	if (names.length === 0) return null;
	const more = report.counts.failedServices - names.length;
	return (
		<Text mod="anywhere">
			<Breakable>
				{more > 0
					? t("failedNamesMore", { names: joined(names, ", "), count: more })
					: t("failedNames", { names: formatList(names) })}
			</Breakable>
		</Text>
	);
}

function failedNames({ sources }: ImportReport): string[] {
	const names: string[] = [];
	for (const { messages } of sources) {
		for (const message of messages) {
			if (names.length === shownNames) return names;
			if (message.service?.service && didNotStart(message)) names.push(message.service.service);
		}
	}
	return names;
}

/** Webhooks that were deactivated for the import: how many are active again, and those that are not. */
export function Reactivated({ webhooks }: { webhooks: ReactivatedWebhooks }) {
	const { t } = useTranslation("importServer", { keyPrefix: "reactivated" });
	const { active, gone, failed, unknown, notRead, inactive } = webhooks;
	const count = active + gone.length + failed.length + unknown.length;
	return (
		<>
			<ProofList>
				<Fact name={t("webhooks")}>
					<span role="status">{notRead === null ? t("title", { count, active }) : t("notRead")}</span>
				</Fact>
			</ProofList>
			{notRead === null ? null : <Text>{notRead}</Text>}
			{inactive === null || active + gone.length === 0 ? null : (
				<Text>
					{t("inactive", {
						count: active + gone.length,
						from: formatTime(inactive.from),
						to: formatTime(inactive.to),
					})}
				</Text>
			)}
			{count === active ? null : (
				<Lines
					lines={[
						// Without a message, nothing was to reactivate them.
						...failed.map((one) =>
							t(`${one.message === "" ? "inFile" : "failed"}${one.webhook === "" ? "All" : ""}`, { ...one }),
						),
						...unknown.map((one) => t(one.webhook === "" ? "unknownAll" : "unknown", { ...one })),
						...gone.map((one) => t("gone", { ...one })),
					]}
				/>
			)}
		</>
	);
}
