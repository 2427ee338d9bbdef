import { Button, SimpleGrid, Stack, Title } from "@mantine/core";
import { IconCircleX, IconExternalLink, IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type OperationKey, operations, type Problem, type SessionView, type SiteView } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { ReadOnly } from "@/components/read-only";
import { useNavigation } from "@/lib/navigation";
import type { OperationGroup, OperationUi } from "@/lib/operation-ui";
import { Attention } from "./attention";
import { Facts } from "./facts";
import { OperationCard } from "./operation-card";
import { ownPage, useOpenPage } from "./use-open-page";

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
