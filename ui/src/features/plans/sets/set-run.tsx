import { Stack, Title } from "@mantine/core";
import { useCallback, useId } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, SetAlert, SetView } from "@/bridge";
import { Fact, FactList } from "@/components/fact-list";
import { ProblemNotice } from "@/components/problem-notice";
import { formatDateTime, formatDuration, formatNumber, formatTimeOfDay } from "@/lib/format";
import { useSetTrail } from "@/lib/queries/plans";
import { joined } from "@/messages/isolated";
import { KeptBecause } from "../shown/kept";
import { Rehearsed } from "../shown/rehearsed";
import { shortened } from "../shown/shortened";

/** Run of a set: who started it, its alerts, and its events in the audit trail. */
export function SetRun({ plan, set: { name, set, fate, notRemoved, rehearsed } }: { plan: BackupPlan; set: SetView }) {
	const { t } = useTranslation("plans");
	const alertText = useAlertText();
	const id = useId();
	const { data: trail, error, refetch } = useSetTrail(plan.site, plan.id, name);
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Title order={2} size="h3" id={id}>
				{t("set.run")}
			</Title>
			<FactList>
				<Fact name={t("set.startedBy")}>
					{set.scheduled === null ? t("set.byUser") : t("set.byScheduler", { at: formatDateTime(set.scheduled) })}
				</Fact>
				{set.ended === null ? null : (
					<Fact name={t("set.took")}>
						{t("set.tookFromTo", {
							duration: formatDuration(set.ended - set.started),
							from: formatTimeOfDay(set.started),
							to: formatTimeOfDay(set.ended),
						})}
					</Fact>
				)}
				<Fact name={t("set.keptFact")}>
					<KeptBecause fate={fate} keep={plan.keep} notRemoved={notRemoved} />
				</Fact>
				<Fact name={t("set.rehearsed")}>
					<Rehearsed rehearsal={rehearsed} />
				</Fact>
				{trail ? (
					<>
						<Fact name={t("set.told")}>
							{trail.alerts.length > 0 ? joined(trail.alerts.map(alertText), " · ") : t("set.noAlert")}
						</Fact>
						{set.ended === null ? null : (
							<Fact name={t("set.trail")}>
								{trail.entry
									? t("set.trailEntry", {
											number: formatNumber(trail.entry.number),
											hash: shortened(trail.entry.sha256),
										})
									: t("set.noTrailEntry")}
							</Fact>
						)}
					</>
				) : null}
			</FactList>
			{error ? <ProblemNotice problem={error} onRetry={() => void refetch()} /> : null}
		</Stack>
	);
}

function useAlertText(): (alert: SetAlert) => string {
	const { t } = useTranslation(["plans", "alerts"]);
	return useCallback(
		({ at, by, receiver, isSent }) => {
			const kind = t(`alerts:kind.${by}`);
			const channel = receiver === "" ? kind : t("set.channelTo", { channel: kind, receiver });
			return t(isSent ? "set.alert" : "set.alertNotSent", { channel, at: formatDateTime(at) });
		},
		[t],
	);
}
