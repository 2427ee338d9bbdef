import { Table, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ChangedView, ComponentFacts, SessionView, SiteOverview, SiteView } from "@/bridge";
import { Board, FactCell, NoFactCell } from "@/components/board";
import { CommandButton, ProblemNotice } from "@/components/notice";
import { Section } from "@/components/page";
import { LinkButton, Small } from "@/components/text";
import { useExportAge } from "@/lib/export-age";
import { formatList, formatTime, formatWhen, hostAndPathOf, useNow } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useChangedSinceAccepted } from "@/lib/queries/changes";
import { useServerKind } from "@/lib/server-kind";
import { isPartialCheck, toneOfCheck } from "@/lib/service-state";
import { serverName } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { dotted } from "@/messages/isolated";

const day = 86_400_000;

interface ComponentBoardProps {
	site: SiteView;
	session: SessionView;
	overview: SiteOverview;
}

/** Facts of the portal and the servers of a site, with their ages and sources. */
export function ComponentBoard({ site, session, overview }: ComponentBoardProps) {
	const { t } = useTranslation("sites", { keyPrefix: "board" });
	const check = useCheck(site);
	// Updates the ages.
	useNow(60_000);
	const { checkedAt } = overview;
	const changed = useChangedSinceAccepted(site.id);
	const heads = [t("name"), t("services"), t("verified"), t("changed.title"), t("session")];
	return (
		<Section
			title={t("title")}
			beside={
				<>
					<Small>{checkedAt === null ? t("neverChecked") : t("checked", { at: formatTime(checkedAt) })}</Small>
					<CommandButton command={check} label={t("check")} icon={IconRefresh} />
				</>
			}
		>
			<ProblemNotice problem={check.error} />
			{check.data?.map(({ server, problem }) => (
				<ProblemNotice key={server ?? ""} problem={problem} site={site} />
			))}
			<Board kind="components" label={t("title")} heads={heads}>
				{overview.components.map((component) => (
					<ComponentRow
						key={component.server ?? ""}
						site={site}
						session={session}
						component={component}
						changed={changed.data?.find(({ server }) => server === component.server) ?? null}
					/>
				))}
			</Board>
		</Section>
	);
}

function useCheck(site: SiteView) {
	return useCommand((backend) => backend.checkSite(site.id), ["checkSite"]);
}

interface ComponentRowProps {
	site: SiteView;
	session: SessionView;
	component: ComponentFacts;
	/** `null` without two snapshots. */
	changed: ChangedView | null;
}

function ComponentRow({ site, session, component, changed }: ComponentRowProps) {
	const { t } = useTranslation(["sites", "common"]);
	const { server, version } = component;
	const saved = site.servers.find(({ id }) => id === server);
	const kindOf = useServerKind();
	const where = saved ? kindOf(saved) : hostAndPathOf(site.portal ?? "");
	// A deployment type other than portal with servers explains why few operations are available.
	const isFirst = server === null || site.portal === null;
	const type = isFirst && site.deploymentType !== "enterprise" ? t(`common:deploymentType.${site.deploymentType}`) : "";
	return (
		<Table.Tr>
			<Table.Td>
				<Text fw={600}>{server === null ? t("board.portal") : serverName(site, server)}</Text>
				<Small>{dotted(where, type, version.value === null ? t("board.noVersion") : versionText())}</Small>
			</Table.Td>
			<Services site={site} component={component} />
			<Verified site={site} component={component} />
			<Changed site={site} changed={changed} />
			<Session session={session} component={component} />
		</Table.Tr>
	);

	/** Returns the version, with its time if it is older than a day or the last check could not read it. */
	function versionText(): string {
		const { value, checkedAt, failedAt } = version;
		const isOld = failedAt !== null || (checkedAt !== null && Date.now() - checkedAt > day);
		return isOld && checkedAt !== null ? `${value}, ${formatTime(checkedAt)}` : (value ?? "");
	}
}

function Services({ site, component }: { site: SiteView; component: ComponentFacts }) {
	const { t } = useTranslation("sites", { keyPrefix: "board" });
	const { go } = useNavigation();
	const head = t("services");
	const { value: check, checkedAt, failedAt } = component.services;
	const { server } = component;
	if (server === null) return <NoFactCell head={head} why={t("noServices")} />;
	if (check === null || checkedAt === null) {
		return (
			<FactCell
				head={head}
				dimmed
				below={failedAt === null ? t("notChecked") : t("checkFailed", { at: formatTime(failedAt) })}
				fact={t("notKnown")}
			/>
		);
	}
	const counts = t("running", { running: check.running, total: check.shouldRun });
	if (failedAt !== null) {
		return (
			<FactCell
				head={head}
				dimmed
				below={t("then", { value: counts, at: formatTime(checkedAt) })}
				fact={t("notKnown")}
			/>
		);
	}
	const isPartial = isPartialCheck(check);
	return (
		<FactCell
			head={head}
			tone={toneOfCheck(check)}
			below={isPartial ? t("incomplete", { at: formatTime(checkedAt) }) : formatTime(checkedAt)}
			fact={
				<LinkButton ta="start" onClick={() => go({ page: "overview", site: site.id, services: server })}>
					{counts}
				</LinkButton>
			}
		/>
	);
}

function Verified({ site, component }: { site: SiteView; component: ComponentFacts }) {
	const { t } = useTranslation("sites", { keyPrefix: "board" });
	const ageOf = useExportAge();
	const head = t("verified");
	const { exports, hasExports, expectedBy } = component;
	if (!hasExports) return <NoFactCell head={head} why={t("noExports")} />;
	if (exports === null) {
		return <FactCell head={head} dimmed below={t("staysOnPortal")} fact={t("notVerified")} />;
	}
	const { verified, hasWarnings, partlyVerified } = exports;
	if (partlyVerified !== null) {
		const count = partlyVerified.unverifiedEntries;
		return (
			<FactCell
				head={head}
				tone="warnings"
				below={partlyVerified.isRecognized ? t("partly", { count }) : t("notRecognized")}
				fact={formatWhen(partlyVerified.at)}
			/>
		);
	}
	if (verified === null) {
		return <FactCell head={head} dimmed below={t("asRecorded")} fact={t("never")} />;
	}
	const { tone, below } = ageOf(site, verified, expectedBy);
	return (
		<FactCell
			head={head}
			tone={tone ?? (hasWarnings ? "warnings" : "succeeded")}
			below={dotted(hasWarnings ? t("withWarnings") : "", below)}
			fact={formatWhen(verified)}
		/>
	);
}

/** Number of changes since the first snapshot that are not accepted, and the kinds that were not compared. */
function Changed({ site, changed }: Pick<ComponentRowProps, "site" | "changed">) {
	const { t } = useTranslation(["sites", "common"]);
	const { go } = useNavigation();
	const head = t("board.changed.title");
	if (changed === null) {
		return <FactCell head={head} dimmed below={t("board.changed.noSnapshots")} fact={t("board.notKnown")} />;
	}
	const { changes, notByApp, notCompared } = changed;
	const gaps =
		notCompared.length === 0
			? ""
			: t("board.changed.incomplete", {
					kinds: formatList(notCompared.map((kind) => t(`common:changesFile.kinds.${kind}`))),
				});
	if (changes === 0) {
		return <FactCell head={head} dimmed below={gaps} fact={t("board.changed.nothing")} />;
	}
	const by = () => {
		if (notByApp === null) return t("board.changed.notKnown");
		if (notByApp === 0) return t("board.changed.byApp");
		return t("board.changed.notByApp", { count: notByApp });
	};
	return (
		<FactCell
			head={head}
			tone="warnings"
			below={dotted(by(), gaps)}
			fact={
				<LinkButton ta="start" onClick={() => go({ page: "changes", site: site.id })}>
					{t("board.changed.count", { count: changes })}
				</LinkButton>
			}
		/>
	);
}

/** Session at the portal, or at a server as of the last check. */
function Session({ session, component }: { session: SessionView; component: ComponentFacts }) {
	const { t } = useTranslation("sites", { keyPrefix: "board" });
	const head = t("session");
	const { value, checkedAt } = component.session;
	if (component.server === null) {
		const { expiresAt } = session;
		return (
			<FactCell
				head={head}
				below={expiresAt === null ? t("noExpiry") : t("until", { at: formatTime(expiresAt) })}
				fact={session.username}
			/>
		);
	}
	if (value === null || checkedAt === null) {
		return <FactCell head={head} dimmed below={t("notChecked")} fact={t("notKnown")} />;
	}
	if (value.username === null) {
		return (
			<FactCell head={head} tone="failed" below={t("since", { at: formatTime(value.since) })} fact={t("notSignedIn")} />
		);
	}
	const { expiresAt } = value;
	const isOver = expiresAt !== null && expiresAt < Date.now();
	return (
		<FactCell
			head={head}
			dimmed={isOver}
			below={expiresAt === null ? t("noExpiry") : t(isOver ? "expired" : "until", { at: formatTime(expiresAt) })}
			fact={value.username}
		/>
	);
}
