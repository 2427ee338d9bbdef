import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconExternalLink, IconPencil, IconStethoscope } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type OperationKey, operations, type Problem, type SessionView, type SiteView, useBackend } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { ReadOnly } from "@/components/read-only";
import { ServiceVerdict } from "@/components/service-verdict";
import { useNavigation } from "@/lib/navigation";
import type { OperationGroup, OperationUi } from "@/lib/operation-ui";
import { queryKeys, useActiveAgain, useDeactivations } from "@/lib/queries";
import { serverOf } from "@/lib/target";
import { useConcerns } from "@/lib/use-concerns";
import { Facts } from "./facts";
import { OperationCard } from "./operation-card";

interface SiteOverviewProps {
	site: SiteView;
	session: SessionView;
	operationUis: Record<OperationKey, OperationUi>;
}

// The three careful ones on the left, everything else beside them: two columns of about the same height.
const columns: OperationGroup[][] = [
	["backup", "data"],
	["services", "collaboration"],
];

/** The site's home: what it is, what wants attention, and what can be done here. */
export function SiteOverview({ site, session, operationUis }: SiteOverviewProps) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const own = ownPage(site);
	const open = useOpenPage(site);
	return (
		<Page
			title={site.name}
			description={t("overview.description", { username: session.username })}
			width="wide"
			actions={
				// Practice has no pages for a browser.
				site.environment === "practice" ? null : (
					<>
						{own ? (
							<Button
								variant="default"
								leftSection={<IconExternalLink size={16} aria-hidden />}
								onClick={() => open.mutate(own.address)}
							>
								{t(`overview.open.${own.kind}`)}
							</Button>
						) : null}
						<Button
							variant="default"
							leftSection={<IconPencil size={16} aria-hidden />}
							onClick={() => go({ page: "edit-site", site: site.id })}
						>
							{t("overview.edit")}
						</Button>
					</>
				)
			}
		>
			<Stack gap="md">
				{open.error ? <NotOpened problem={open.error} address={open.variables} /> : null}
				<Facts site={site} session={session} />
				<ReadOnly site={site} />
				<Attention site={site} session={session} />
				<CheckServices site={site} />
			</Stack>
			<SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
				{columns.map((groups) => (
					<Stack key={groups[0]} gap="lg">
						{groups.map((group) => (
							<OperationGroupCards
								key={group}
								group={group}
								site={site}
								session={session}
								operationUis={operationUis}
							/>
						))}
					</Stack>
				))}
			</SimpleGrid>
		</Page>
	);
}

/** A system that has no browser to open leaves it to the person; anything else is a refusal with words of its own. */
function NotOpened({ problem, address }: { problem: Problem; address: string }) {
	const { t } = useTranslation("sites");
	if (problem.kind !== "noDialog") return <ProblemNotice problem={problem} />;
	return (
		<Notice tone="failed" icon={IconCircleX} role="alert" title={t("overview.open.failed")}>
			<CopyField label={t("overview.open.byHand")} value={address} />
		</Notice>
	);
}

function OperationGroupCards({ group, site, session, operationUis }: SiteOverviewProps & { group: OperationGroup }) {
	const { t } = useTranslation("common");
	return (
		<Stack gap="xs" component="section" aria-label={t(`group.${group}`)}>
			<Title order={2} size="h4">
				{t(`group.${group}`)}
			</Title>
			{operations
				.map(({ key }) => operationUis[key])
				.filter((ui) => ui.group === group)
				.map((ui) => (
					<OperationCard key={ui.key} ui={ui} site={site} session={session} />
				))}
		</Stack>
	);
}

/** What needs attention on this site, each with the next step; nothing when there is nothing. */
function Attention({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation("sites");
	const { go } = useNavigation();
	const concerns = useConcerns(site, session);
	// What was deactivated may have been activated on the server.
	const isOpen = useDeactivations(site.id).data?.some(({ resolvedAt }) => resolvedAt === null) ?? false;
	useActiveAgain(serverOf(site), isOpen);
	const id = useId();
	if (concerns.length === 0) return null;
	return (
		<Paper withBorder p="md" component="section" aria-labelledby={id}>
			<Stack gap="xs">
				<Title order={2} size="h5" id={id}>
					{t("attention.title")}
				</Title>
				{concerns.map(({ key, words, act, to }) => (
					<Group key={key} gap="xs">
						<Group gap="sm" wrap="nowrap" flex="1 1 14rem">
							<IconAlertTriangle size={16} color="var(--tone-warnings)" aria-hidden style={{ flex: "none" }} />
							<Text size="sm">{words}</Text>
						</Group>
						<Button size="xs" variant="default" flex="none" onClick={() => go(to)}>
							{act}
						</Button>
					</Group>
				))}
			</Stack>
		</Paper>
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

/** Checks on request whether the services of the server run. It only reads. */
function CheckServices({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const backend = useBackend();
	// The button alone sends it. The result is still there when the user returns to the page.
	const check = useQuery({
		queryKey: queryKeys.serviceCheck(serverOf(site)),
		queryFn: () => backend.checkServices(serverOf(site)),
		enabled: false,
	});
	if (site.server === null) return null;
	return (
		<Stack gap="xs">
			<Group>
				<Button
					variant="default"
					loading={check.isFetching}
					leftSection={<IconStethoscope size={16} aria-hidden />}
					onClick={() => void check.refetch()}
				>
					{t("now")}
				</Button>
			</Group>
			{check.error ? <ProblemNotice problem={check.error} /> : null}
			{check.data && !check.error ? <ServiceVerdict target={serverOf(site)} check={check.data} /> : null}
		</Stack>
	);
}
