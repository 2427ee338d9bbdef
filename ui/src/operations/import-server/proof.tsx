import { Button, Group, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ImportProof, type RecordId, type SiteView, useBackend } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ServiceVerdict } from "@/components/service-verdict";
import { Time } from "@/components/time";
import { formatNumber } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
import { useNow } from "@/lib/use-now";

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

/** Whether everything is back: the services after an import, beside those before it and those of the export. */
export function Proof({ site, record, proof }: ProofProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const backend = useBackend();
	const [stopped, setStopped] = useState(false);
	const now = useNow(10_000);
	const first = proof.check;
	const kept = proof.later ?? [];
	const last = kept.at(-1) ?? first;
	const isBad = last !== null && last.notRunning.length > 0;
	const since = first === null ? 0 : now - first.checkedAt;
	const due = since > recent ? 0 : again.filter((time) => since >= time).length;
	const isExpected = since <= recent && due < again.length;
	const later = useQuery({
		queryKey: queryKeys.serviceCheck(site.id, first?.checkedAt ?? 0, due),
		queryFn: () => (record === null ? backend.checkServices(site.id) : backend.checkServicesAgain(site.id, record)),
		enabled: isBad && !stopped && due > 0,
		placeholderData: (previous) => previous,
	});
	if (last === null) return <Text size="sm">{t("notChecked")}</Text>;
	const check = later.data ?? last;
	const earlier = [...(first ? [first] : []), ...kept].filter(({ checkedAt }) => checkedAt < check.checkedAt);
	return (
		<ServiceVerdict site={site.id} check={check}>
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
			{isExpected && !stopped && check.notRunning.length > 0 ? (
				<Group gap="sm">
					<Text size="sm">{t("again")}</Text>
					<Button size="xs" variant="default" onClick={() => setStopped(true)}>
						{t("stop")}
					</Button>
				</Group>
			) : null}
		</ServiceVerdict>
	);
}
