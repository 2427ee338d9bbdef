import { List, Text } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ChangeSummary, type ImportEffect, type Problem, type SiteView, useBackend } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { queryKeys } from "@/lib/queries";

type BriefingQuery = UseQueryResult<ChangeSummary, Problem>;

/** What the program says is about to happen. */
export function useChangeSummary(site: SiteView): BriefingQuery {
	const backend = useBackend();
	return useQuery({ queryKey: queryKeys.importBriefing(site.id), queryFn: () => backend.previewImport(site.id) });
}

export function ChangeSummaryNotice({ briefing }: { briefing: BriefingQuery }) {
	const { t } = useTranslation("importServer");
	if (briefing.isPending) return <LoadingRows rows={3} height={20} />;
	if (briefing.error) return <ProblemNotice problem={briefing.error} onRetry={() => void briefing.refetch()} />;
	const { services, site, cautions, leftOut } = briefing.data;
	return (
		<>
			{services === null ? null : (
				<Text size="sm" fw={600}>
					{t("services", { count: services, site })}
				</Text>
			)}
			<List size="sm" spacing={4}>
				{spoken(cautions).map((caution) => (
					<List.Item key={caution}>{t(`caution.${caution}`)}</List.Item>
				))}
			</List>
			<Foldable title={t("leftOutTitle")}>
				<List size="sm" spacing={4}>
					{leftOut.map((part) => (
						<List.Item key={part}>{t(`leftOut.${part}`)}</List.Item>
					))}
				</List>
			</Foldable>
		</>
	);
}

/** What is not in an export stands below, one by one. */
function spoken(cautions: readonly ImportEffect[]): ImportEffect[] {
	return cautions.filter((caution) => caution !== "excludedFromExport");
}
