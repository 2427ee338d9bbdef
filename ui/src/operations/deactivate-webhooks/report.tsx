import { Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivateReport, DeactivateWebhooksForm, Problem, SiteView } from "@/bridge";
import { DoneAt } from "@/components/done-at";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { useProblemWords } from "@/lib/problem-words";

interface ReportProps {
	site: SiteView;
	done: Done<DeactivateReport, DeactivateWebhooksForm>;
}

/** What came of it, service by service. */
export function Report({ site, done }: ReportProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { services } = done.report;
	const silent = services.filter(({ problem }) => problem === null).length;
	const all = silent === services.length;
	const title = all
		? t("done", { count: silent, site: site.name })
		: t("partly", { silent, total: services.length, site: site.name });
	return (
		<Stack>
			<Outcome outcome={all ? "succeeded" : "warnings"} title={title}>
				<DoneAt at={done.at} />
				<Text size="sm">{t("reactivate")}</Text>
			</Outcome>
			<Table withTableBorder>
				<Table.Tbody>
					{services.map(({ service, problem }) => (
						<Table.Tr key={service}>
							<Table.Th fw={500} style={{ overflowWrap: "anywhere" }}>
								{service}
							</Table.Th>
							<Table.Td>{problem === null ? t("isSilent") : <Reason problem={problem} />}</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Stack>
	);
}

function Reason({ problem }: { problem: Problem }) {
	const words = useProblemWords(problem);
	return (
		<Text size="sm" style={{ overflowWrap: "anywhere" }}>
			{[words.title, words.what, words.quote].filter(Boolean).join(" ")}
		</Text>
	);
}
