import { Text } from "@mantine/core";
import { IconExternalLink, IconPencil, IconRefresh } from "@tabler/icons-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import {
	asProblem,
	type Concern,
	type SiteOverview as Overview,
	type Problem,
	type ServerId,
	type SessionView,
	type SiteView,
} from "@/bridge";
import { FirstRows, Row } from "@/components/board";
import { ConcernButton } from "@/components/concern-button";
import { CopyField } from "@/components/copy-field";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { OutcomeIcon } from "@/components/outcome";
import { Page, Section } from "@/components/page";
import { ReadOnly } from "@/components/read-only";
import { ServiceVerdict } from "@/components/service-verdict";
import { WholeSite } from "@/components/site-back";
import { IconButton } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { useNavigation } from "@/lib/navigation";
import { useSiteOverview } from "@/lib/queries/program";
import { useLogComparison } from "@/lib/queries/site";
import { serverName, serverOf } from "@/lib/target";
import { useCommand, useStale } from "@/lib/use-command";
import { ComponentBoard } from "./component-board";
import { ExpiresSoon, useExpiryGaps } from "./expires-soon";
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
							<IconButton
								label={t(`overview.open.${own.kind}`)}
								icon={IconExternalLink}
								onClick={() => open.mutate(own.address)}
							/>
						) : null}
						<IconButton
							label={t("overview.edit")}
							icon={IconPencil}
							onClick={() => go({ page: "edit-site", site: site.id })}
						/>
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
	const check = useCommand((backend) => backend.checkServices(target), ["checkServices"]);
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

/** Concerns of a site, the worst first, each with one button. */
function NeedsAttention({ site, overview: { concerns, isChecked } }: { site: SiteView; overview: Overview }) {
	const { t } = useTranslation("sites");
	const title = t("attention.title");
	// The check of the whole site has a card of its own on this page.
	const shown = concerns.filter(({ about }) => about.kind !== "wholeSite");
	// Without concerns, a single sentence is shown without heading, to save space.
	if (shown.length === 0) {
		return concerns.length > 0 ? null : (
			<Text component="section" aria-label={title} c="dimmed">
				{t(isChecked ? "attention.none" : "attention.noneUnchecked")}
			</Text>
		);
	}
	return (
		<Section title={title}>
			<FirstRows label={title} rows={shown}>
				{(concern) => <ConcernRow key={keyOf(concern)} site={site} concern={concern} />}
			</FirstRows>
		</Section>
	);
}

function ConcernRow({ site, concern }: { site: SiteView; concern: Concern }) {
	const text = useConcernText()(site, concern);
	return (
		<Row icon={<OutcomeIcon outcome={concern.tone} />} title={<Text fw={600}>{text.title}</Text>} below={text.detail}>
			<ConcernButton site={site} concern={concern} text={text} />
		</Row>
	);
}

function keyOf({ about, server, at }: Concern): string {
	return about.kind === "record"
		? about.entry.id
		: `${about.kind} ${server} ${at} ${"guest" in about ? about.guest : ""}`;
}
