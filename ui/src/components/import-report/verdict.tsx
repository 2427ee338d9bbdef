import { List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ImportProof, ImportReport, ReactivatedWebhooks, ReportCounts, ServiceCheck, Target } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { Fact, type OutcomeName } from "@/components/outcome";
import { ProofList } from "@/components/proof-lines";
import { ServiceFacts, useServiceCount } from "@/components/service-verdict";
import { Breakable, Lines, Time } from "@/components/text";
import { formatList, formatTime } from "@/lib/format";
import { areActiveAgain, didNotStart, toneOfCheck } from "@/lib/service-state";
import { dotted, joined } from "@/messages/isolated";

/** Services named; the others are counted. */
const namedServices = 10;

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

/**
 * Returns the outcome of an import: the one that the history records. A server reports success even if services are
 * stopped, missing, or not listed, if webhooks are inactive, or if it imported in place of a check; each of these counts
 * as a warning. `check` is the last check of the services; if it is omitted, the last one in the report.
 */
export function outcomeOf(report: ImportReport, check = lastCheckOf(report)): OutcomeName {
	const { reactivated, proof } = report;
	const { errors, failedServices, warnings } = report.counts;
	if (report.isFailed) return "failed";
	if (report.importedInstead) return "warnings";
	if (reactivated && !areActiveAgain(reactivated)) return "warnings";
	if (proof !== null && (check === undefined || toneOfCheck(check) !== "succeeded" || isMissing(proof, check))) {
		return "warnings";
	}
	return errors + failedServices + warnings > 0 ? "warnings" : "succeeded";
}

function lastCheckOf({ proof }: ImportReport): ServiceCheck | undefined {
	return proof === null ? undefined : checksOf(proof).at(-1);
}

/** Whether services are missing: those of the export, or, if it is not known, all that the server had. */
function isMissing({ lost, servicesBefore }: ImportProof, check: ServiceCheck): boolean {
	return lost === null ? (servicesBefore ?? 0) > 0 && check.services === 0 : lost.length > 0;
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

/** Returns the counts, the worst first, for example "2 services did not start · 4 information messages". */
export function useCounts({ errors, failedServices, warnings, notes }: ReportCounts): string {
	const { t } = useTranslation("importServer");
	return dotted(
		errors > 0 ? t("countErrors", { count: errors }) : null,
		failedServices > 0 ? t("countFailed", { count: failedServices }) : null,
		warnings > 0 ? t("countWarnings", { count: warnings }) : null,
		notes > 0 ? t("countNotes", { count: notes }) : null,
	);
}
