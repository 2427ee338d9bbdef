import { Button, Group, List, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ImportProof, type RecordId, type ServiceCheck, type SiteView, type Target, useBackend } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ServiceVerdict } from "@/components/service-verdict";
import { Time } from "@/components/time";
import { formatNumber, formatTime } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
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
	/** Record of the import, which keeps the later checks; `null` if there is none. */
	record: RecordId | null;
	proof: ImportProof;
}

/** Whether everything is back, and again after some minutes while a service that should run does not. */
export function Proof({ site, record, proof }: ProofProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const [stopped, setStopped] = useState(false);
	const checks = useLaterChecks({ site, record, proof }, stopped);
	const next = stopped ? null : nextCheck(checks, checks.at(-1)?.checkedAt ?? 0);
	return (
		<ProofVerdict target={serverOf(site)} proof={proof} checks={checks}>
			{next === null ? null : (
				<Group gap="sm">
					<Text size="sm">{t("again", { at: formatTime(next) })}</Text>
					<Button size="xs" variant="default" onClick={() => setStopped(true)}>
						{t("stop")}
					</Button>
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
	const check = checks.at(-1);
	if (check === undefined) return <Text size="sm">{t("notChecked")}</Text>;
	const earlier = checks.slice(0, -1);
	return (
		<ServiceVerdict target={target} check={check}>
			{proof.servicesBefore === null ? null : (
				<Text size="sm">
					{t("counts", { before: formatNumber(proof.servicesBefore), after: formatNumber(check.services) })}
				</Text>
			)}
			{proof.lost === null ? <Text size="sm">{t("noInventory")}</Text> : null}
			{proof.lost !== null && proof.lost.length > 0 ? (
				<>
					<Text size="sm">{t("lost", { count: proof.lost.length })}</Text>
					<List size="sm">
						{proof.lost.slice(0, named).map((path) => (
							<List.Item key={path} style={{ overflowWrap: "anywhere" }}>
								{path}
							</List.Item>
						))}
					</List>
					{proof.lost.length > named ? <Text size="sm">{t("more", { count: proof.lost.length - named })}</Text> : null}
				</>
			) : null}
			{earlier.length === 0 ? null : (
				<Foldable title={t("earlier")}>
					<List size="sm">
						{earlier.map(({ checkedAt, running, shouldRun }) => (
							<List.Item key={checkedAt}>
								<Time at={checkedAt} />{" "}
								{t("running", { count: shouldRun, running: formatNumber(running), total: formatNumber(shouldRun) })}
							</List.Item>
						))}
					</List>
				</Foldable>
			)}
			{children}
		</ServiceVerdict>
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

/** The checks after an import, with those that are made while this is shown. Each is made once, and kept by the record. */
function useLaterChecks({ site, record, proof }: ProofProps, stopped: boolean): readonly ServiceCheck[] {
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const made = checksOf(proof);
	const queryKey = queryKeys.laterChecks(site.id, made[0]?.checkedAt ?? 0);
	const { data } = useQuery({
		queryKey,
		queryFn: async () => {
			const check = await (record === null
				? backend.checkServices(serverOf(site))
				: backend.checkServicesAgain(site.id, record));
			if (record !== null) void stale("checkServicesAgain", record);
			return [...(queries.getQueryData<ServiceCheck[]>(queryKey) ?? made), check];
		},
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
	return data;
}
