import { Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Key, operations, type SessionView, type SiteView } from "@/bridge";
import { Page } from "@/components/page";
import { Time } from "@/components/time";
import type { OperationGroup, OperationUi } from "@/lib/operation-ui";
import { OperationCard } from "./operation-card";
import { ReadOnly } from "./read-only";

interface SiteOverviewProps {
	site: SiteView;
	session: SessionView;
	operationUis: Record<Key, OperationUi>;
}

// The three careful ones on the left, everything else beside them: two columns of about the same height.
const columns: OperationGroup[][] = [
	["backup", "data"],
	["services", "collaboration"],
];

/** The site's home: what can be done here, and how old its last copy is. */
export function SiteOverview({ site, session, operationUis }: SiteOverviewProps) {
	const { t } = useTranslation("sites");
	return (
		<Page title={site.name} description={t("overview.description", { username: session.username })} width="full">
			<Facts site={site} />
			<ReadOnly site={site} />
			<SimpleGrid cols={2} spacing="lg" maw={960}>
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

function Facts({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const facts = [
		{
			name: t("overview.lastExport"),
			value: site.lastExport ? <Time at={site.lastExport} relative /> : t("overview.noExport"),
		},
		{ name: t("overview.portal"), value: site.portal ?? t("overview.none") },
		{ name: t("overview.server"), value: site.server ?? t("overview.none") },
	];
	return (
		<Paper withBorder p="md" maw={960}>
			<Group gap="xl" component="dl" m={0} align="flex-start">
				{facts.map(({ name, value }) => (
					<Stack key={name} gap={0} component="div">
						<Text component="dt" size="xs" c="dimmed">
							{name}
						</Text>
						<Text component="dd" size="sm" m={0}>
							{value}
						</Text>
					</Stack>
				))}
			</Group>
		</Paper>
	);
}
