import { Text } from "@mantine/core";
import { IconExternalLink, IconPencil, IconRefresh } from "@tabler/icons-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import {
	asProblem,
	type SiteOverview as Overview,
	type Problem,
	type ServerId,
	type SessionView,
	type SiteView,
} from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { Page, Section } from "@/components/page";
import { ReadOnly } from "@/components/read-only";
import { ServiceVerdict } from "@/components/service-verdict";
import { WholeSite } from "@/components/site-back";
import { IconButton } from "@/components/text";
import { useNavigation } from "@/lib/navigation";
import { useSiteOverview } from "@/lib/queries/program";
import { useLogComparison } from "@/lib/queries/site";
import { serverName, serverOf } from "@/lib/target";
import { useCommand, useStale } from "@/lib/use-command";
import { ComponentBoard } from "./component-board";
import { ExpiresSoon, useExpiryGaps } from "./expires-soon";
import { NeedsAttention } from "./needs-attention";
import { Recoverable } from "./recoverable";
import classes from "./recoverable.module.css";

interface SiteOverviewProps {
	site: SiteView;
	session: SessionView;
	services?: ServerId | undefined;
}

/** Start page of a site: its concerns, and the facts of its portal and servers. */
export function SiteOverview({ site, session, services }: SiteOverviewProps) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const overview = useSiteOverview(site.id);
	const own = ownPage(site);
	const open = useOpenPage(site);
	return (
		<Page
			title={t("overview.title")}
			width="wide"
			actions={
				// The practice site has no web pages.
				site.environment === "practice" ? null : (
					<>
						{own ? (
							<IconButton icon={IconExternalLink} onClick={() => open.mutate(own.address)}>
								{t(`overview.open.${own.kind}`)}
							</IconButton>
						) : null}
						<IconButton icon={IconPencil} onClick={() => go({ page: "edit-site", site: site.id })}>
							{t("overview.edit")}
						</IconButton>
					</>
				)
			}
		>
			{open.error ? <NotOpened problem={open.error} address={open.variables} /> : null}
			<ReadOnly site={site} />
			<ProblemNotice problem={overview.error} onRetry={() => void overview.refetch()} />
			{overview.data ? (
				<Facts site={site} session={session} overview={overview.data} services={services} />
			) : overview.error ? null : (
				<LoadingRows rows={3} height={48} />
			)}
		</Page>
	);
}

function Facts({ site, session, overview, services }: SiteOverviewProps & { overview: Overview }) {
	useComparedWebhooks(site, overview);
	const gapsOf = useExpiryGaps();
	return (
		<>
			<NeedsAttention site={site} overview={overview} />
			<WholeSite site={site} />
			<div className={classes.pair}>
				<Recoverable site={site} recoverable={overview.recoverable} />
				<ExpiresSoon
					rows={overview.expires.map((expiry) => ({ site, expiry }))}
					unknown={gapsOf(site, overview.expiryGaps)}
				/>
			</div>
			{services === undefined ? null : <Services key={services} site={site} overview={overview} server={services} />}
			<ComponentBoard site={site} session={session} overview={overview} />
		</>
	);
}

/** Services of a server at its last check, which can be repeated for this server. */
function Services({ site, overview, server }: { site: SiteView; overview: Overview; server: ServerId }) {
	const { t } = useTranslation("sites");
	const target = { site: site.id, server };
	const check = useCommand(
		(backend) => backend.checkServices(target),
		(stale) => stale("checkServices"),
	);
	const last = overview.components.find((one) => one.server === server)?.services.value;
	const name = serverName(site, server);
	return (
		<Section
			title={t("board.servicesOf", { server: name })}
			beside={<CommandButton command={check} label={t("board.checkServices")} icon={IconRefresh} />}
		>
			{check.error ? <ProblemNotice problem={asProblem(check.error)} site={site} /> : null}
			{last ? (
				<ServiceVerdict target={target} check={last} />
			) : (
				<Text c="dimmed">{t("board.servicesNotChecked", { server: name })}</Text>
			)}
		</Section>
	);
}

/**
 * Compares the deactivation log with the current server if webhooks are deactivated there: they might have been
 * activated on the server.
 */
function useComparedWebhooks(site: SiteView, overview: Overview) {
	const stale = useStale();
	const target = serverOf(site);
	const isOpen = overview.concerns.some(({ about, server }) => about.kind === "webhooks" && server === target.server);
	const { data } = useLogComparison(target, isOpen);
	useEffect(() => {
		if (data?.some(({ activeAgain }) => activeAgain.length > 0)) void stale("checkSite");
	}, [data, stale]);
}

/** Shows the URL if the system has no browser to open it; other problems have their own texts. */
function NotOpened({ problem, address }: { problem: Problem; address: string }) {
	const { t } = useTranslation("sites");
	if (problem.kind !== "noDialog") return <ProblemNotice problem={problem} />;
	return (
		<Notice tone="failed" title={t("overview.open.failed")}>
			<CopyField label={t("overview.open.byHand")} value={address} />
		</Notice>
	);
}

/** Returns the web page of a site: of the portal, or of the server manager without a portal. */
function ownPage(site: SiteView): { kind: "portal" | "manager"; address: string } | null {
	if (site.portal !== null) return { kind: "portal", address: site.portal };
	return site.server === null ? null : { kind: "manager", address: `${site.server.replace(/\/+$/, "")}/manager` };
}

function useOpenPage(site: SiteView) {
	return useCommand((backend, address: string) => backend.openLink(site.id, address));
}
