import { Stack, Table } from "@mantine/core";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, Rehearsal, ServerId, SetAlert, SetView, SiteView } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Fact, FactList, OutcomeIcon } from "@/components/outcome";
import { Section } from "@/components/page";
import { SearchField } from "@/components/path-field";
import { Pages, usePages } from "@/components/searched-list";
import { LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { formatDateTime, formatDuration, formatList, formatTimeOfDay } from "@/lib/format";
import { matches } from "@/lib/matches";
import { useNavigation } from "@/lib/navigation";
import { useSetServices, useSetTrail } from "@/lib/queries/plans";
import { useRehearsedText } from "@/lib/recoverable-text";
import { dotted, joined } from "@/messages/isolated";
import { KeptBecause, shortened } from "../shown/part-state";

/** Run of a set: who started it, its alerts, and its events in the audit trail. */
export function SetRun({ plan, set: { name, set, fate, notRemoved, rehearsed } }: { plan: BackupPlan; set: SetView }) {
	const { t } = useTranslation("plans");
	const alertText = useAlertText();
	const { data: trail, error, refetch } = useSetTrail(plan.site, plan.id, name);
	return (
		<Section title={t("set.run")}>
			<FactList>
				<Fact name={t("set.startedBy")}>{joined([startedBy(set), asAccounts(trail?.accounts ?? [])], ", ")}</Fact>
				{/* A run that was cut off during its first part has no known end. */}
				{set.ended === null || set.ended === set.started ? null : (
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
							{trail.alerts.length > 0 ? dotted(...trail.alerts.map(alertText)) : t("set.noAlert")}
						</Fact>
						{set.ended === null ? null : (
							<Fact name={t("set.trail")}>
								{trail.entry
									? t("set.trailEntry", {
											number: trail.entry.number,
											hash: shortened(trail.entry.sha256),
										})
									: t("set.noTrailEntry")}
							</Fact>
						)}
					</>
				) : null}
			</FactList>
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
		</Section>
	);

	function asAccounts(accounts: readonly string[]): string {
		return accounts.length === 0 ? "" : t("set.asAccount", { accounts: formatList(accounts) });
	}

	function startedBy({ scheduled, computer }: SetView["set"]): string {
		if (scheduled === null) return computer ? t("set.byUserOf", { computer }) : t("set.byUser");
		const at = formatDateTime(scheduled);
		return computer ? t("set.bySchedulerOf", { computer, at }) : t("set.byScheduler", { at });
	}
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

/** When and how a rehearsal ended, with a link to its receipt. */
function Rehearsed({ rehearsal }: { rehearsal: Rehearsal | null }) {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	const textOf = useRehearsedText();
	const { go } = useNavigation();
	if (rehearsal === null) return t("neverRehearsed");
	const { outcome, site, record } = rehearsal;
	return (
		<>
			<OutcomeIcon outcome={outcome} isAtFirstLine /> {textOf(rehearsal)}{" "}
			<LinkButton onClick={() => go({ page: "receipt", site, record })}>{t("showReceipt")}</LinkButton>
		</>
	);
}

interface SetServicesProps {
	site: SiteView;
	plan: BackupPlan;
	set: SetView;
	server: ServerId;
	name: string;
}

/** Services of a server in a set, each with the number of other sets that contain it. */
export function SetServices({ site, plan, set, server, name }: SetServicesProps) {
	const { t } = useTranslation("plans");
	const { data, error } = useSetServices(site.id, plan.id, set.name, server);
	const [search, setSearch] = useState("");
	const found = data?.services.filter(({ path }) => matches(search, path)) ?? [];
	const pages = usePages(found);
	if (error) return <ProblemNotice problem={error} />;
	if (!data) return <LoadingRows height={32} />;
	return (
		<Stack gap="xs">
			<SearchField
				size="xs"
				maw={400}
				aria-label={t("set.search", { part: name })}
				placeholder={t("set.search", { part: name })}
				value={search}
				onChange={setSearch}
			/>
			<Small role="status">{t("set.found", { found: found.length, total: data.services.length, part: name })}</Small>
			{found.length === 0 ? null : (
				<Table aria-label={t("set.look", { part: name })}>
					<Heads of={[t("set.service"), t("set.state"), t("set.otherSets")]} />
					<Table.Tbody>
						{pages.shown.map(({ path, state, others }) => (
							<Table.Tr key={path}>
								<Table.Td mod="anywhere">{path}</Table.Td>
								<Table.Td>{state || t("set.notKnown")}</Table.Td>
								<Table.Td>{others === 0 ? t("set.onlyHere") : t("set.others", { count: others })}</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			)}
			<Pages handle={pages} label={t("set.servicePages")} />
		</Stack>
	);
}
