import { Group, Stack, Table, Text } from "@mantine/core";
import { IconBellOff, IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, Problem, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { useProblemWords } from "@/lib/problem-words";
import { Ledger } from "./ledger";
import type { Restore } from "./use-restore";

interface ReportProps {
	site: SiteView;
	done: Done<DeactivateReport, DeactivateWebhooksForm>;
	restore: Restore;
}

/** What came of it, service by service, what went wrong first; and the way back. */
export function Report({ site, done, restore }: ReportProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { services } = done.report;
	const failed = services.filter(({ problem }) => problem !== null);
	const silent = services.filter(({ problem }) => problem === null);
	const title =
		failed.length === 0
			? t("done", { count: silent.length, site: site.name })
			: t("partly", { silent: silent.length, count: services.length, site: site.name });
	return (
		<Stack>
			<Outcome outcome={failed.length === 0 ? "succeeded" : "warnings"} title={title}>
				<DoneAt at={done.at} />
				<Text size="sm">{t("reactivate")}</Text>
				{failed.length === 0 ? null : <Text size="sm">{t("retry", { count: failed.length })}</Text>}
			</Outcome>
			<Table withTableBorder aria-label={t("services")}>
				<Table.Tbody>
					{[...failed, ...silent].map(({ service, problem }) => (
						<Table.Tr key={service}>
							<Table.Th fw={500} w="50%" style={{ overflowWrap: "anywhere" }}>
								{service}
							</Table.Th>
							<Table.Td>
								{problem === null ? (
									<Group gap={6} wrap="nowrap">
										<IconBellOff size={16} aria-hidden />
										<Text size="sm">{t("isSilent")}</Text>
									</Group>
								) : (
									<Reason problem={problem} />
								)}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
			<Ledger site={site} restore={restore} />
		</Stack>
	);
}

function Reason({ problem }: { problem: Problem }) {
	const { title, what, quote } = useProblemWords(problem);
	return (
		<Group gap={6} wrap="nowrap" align="flex-start">
			<IconCircleX size={16} color="var(--tone-failed)" style={{ flex: "none", marginTop: 2 }} aria-hidden />
			<Stack gap={0} miw={0}>
				{[title, what, quote].map((line) =>
					line ? (
						<Text key={line} size="sm" style={{ overflowWrap: "anywhere" }}>
							{line}
						</Text>
					) : null,
				)}
			</Stack>
		</Group>
	);
}
