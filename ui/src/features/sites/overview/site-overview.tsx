import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconExternalLink, IconPencil, IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import {
	asProblem,
	type SiteOverview as Overview,
	type Problem,
	type ServerId,
	type SessionView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { LoadingRows } from "@/components/loading-rows";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { ReadOnly } from "@/components/read-only";
import { ServiceVerdict } from "@/components/service-verdict";
import { WholeSite } from "@/components/site-back";
import { useNavigation } from "@/lib/navigation";
import { useSiteOverview } from "@/lib/queries/program";
import { useLogComparison } from "@/lib/queries/site";
import { useStale } from "@/lib/stale";
import { serverOf } from "@/lib/target";
import { serverName } from "@/lib/target-name";
import { useCommand } from "@/lib/use-command";
import { ComponentBoard } from "./component-board";
import { NeedsAttention } from "./needs-attention";

interface SiteOverviewProps {
	site: SiteView;
	session: SessionView;
	/** Server whose services are shown. */
	services?: ServerId | undefined;
}

/** The site's home: what needs attention, and the facts of its portal and servers. */
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
				// Practice has no pages for a browser.
				site.environment === "practice" ? null : (
					<>
						{own ? (
							<Button leftSection={<IconExternalLink size={16} aria-hidden />} onClick={() => open.mutate(own.address)}>
								{t(`overview.open.${own.kind}`)}
							</Button>
						) : null}
						<Button
							leftSection={<IconPencil size={16} aria-hidden />}
							onClick={() => go({ page: "edit-site", site: site.id })}
						>
							{t("overview.edit")}
						</Button>
					</>
				)
			}
		>
			{open.error ? <NotOpened problem={open.error} address={open.variables} /> : null}
			<ReadOnly site={site} />
			{overview.error ? <ProblemNotice problem={overview.error} onRetry={() => void overview.refetch()} /> : null}
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
	return (
		<>
			<NeedsAttention site={site} overview={overview} />
			<WholeSite site={site} />
			{services === undefined ? null : <Services key={services} site={site} overview={overview} server={services} />}
			<ComponentBoard site={site} session={session} overview={overview} />
		</>
	);
}

/** The services of a server at its last check, which can be made anew for this server alone. */
function Services({ site, overview, server }: { site: SiteView; overview: Overview; server: ServerId }) {
	const { t } = useTranslation("sites");
	const id = useId();
	const target = { site: site.id, server };
	const check = useCommand(
		(backend) => backend.checkServices(target),
		(stale) => stale("checkServices"),
	);
	const last = overview.components.find((one) => one.server === server)?.services.value;
	const name = serverName(site, server);
	return (
		<Stack gap={8} component="section" aria-labelledby={id}>
			<Group gap={8}>
				<Title order={2} size="h3" id={id} flex={1}>
					{t("board.servicesOf", { server: name })}
				</Title>
				<Button
					loading={check.isPending}
					leftSection={<IconRefresh size={16} aria-hidden />}
					onClick={() => check.mutate()}
				>
					{t("board.checkServices")}
				</Button>
			</Group>
			{check.error ? <ProblemNotice problem={asProblem(check.error)} site={site} /> : null}
			{last ? (
				<ServiceVerdict target={target} check={last} />
			) : (
				<Text c="dimmed">{t("board.servicesNotChecked", { server: name })}</Text>
			)}
		</Stack>
	);
}

/** What was deactivated may have been activated on the server: where something is deactivated, it is compared. */
function useComparedWebhooks(site: SiteView, overview: Overview) {
	const stale = useStale();
	const target = serverOf(site);
	const isOpen = overview.concerns.some(({ about, server }) => about.kind === "webhooks" && server === target.server);
	const { data } = useLogComparison(target, isOpen);
	useEffect(() => {
		if (data?.some(({ activeAgain }) => activeAgain.length > 0)) void stale("checkSite");
	}, [data, stale]);
}

/** A system that has no browser to open leaves it to the person; anything else is a refusal with words of its own. */
function NotOpened({ problem, address }: { problem: Problem; address: string }) {
	const { t } = useTranslation("sites");
	if (problem.kind !== "noDialog") return <ProblemNotice problem={problem} />;
	return (
		<Notice tone="failed" title={t("overview.open.failed")}>
			<CopyField label={t("overview.open.byHand")} value={address} />
		</Notice>
	);
}

/** The site's own page: the portal's, or the server manager's where there is no portal. */
function ownPage(site: SiteView): { kind: "portal" | "manager"; address: string } | null {
	if (site.portal !== null) return { kind: "portal", address: site.portal };
	return site.server === null ? null : { kind: "manager", address: `${site.server.replace(/\/+$/, "")}/manager` };
}

/** Opens it in the system's browser. */
function useOpenPage(site: SiteView) {
	const backend = useBackend();
	return useMutation({ mutationFn: (address: string) => backend.openLink(site.id, address) });
}
