import { List, Text } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ChangeSummary, type ImportEffect, type Problem, type SiteView, useBackend } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { queryKeys } from "@/lib/queries";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";

type ChangeSummaryQuery = UseQueryResult<ChangeSummary, Problem>;

/** What the program says is about to happen. */
export function useChangeSummary(site: SiteView): ChangeSummaryQuery {
	const backend = useBackend();
	return useQuery({
		queryKey: queryKeys.changeSummary(serverOf(site)),
		queryFn: () => backend.previewImport(serverOf(site)),
	});
}

export function ChangeSummaryNotice({ site, summary }: { site: SiteView; summary: ChangeSummaryQuery }) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	if (summary.isPending) return <LoadingRows rows={3} height={20} />;
	if (summary.error) return <ProblemNotice problem={summary.error} onRetry={() => void summary.refetch()} />;
	const { services, cautions, excluded } = summary.data;
	return (
		<>
			{services === null ? null : (
				<Text size="sm" fw={600}>
					{t("services", { count: services, site: target })}
				</Text>
			)}
			<Foldable title={t("effectsTitle")}>
				<List size="sm" spacing={4}>
					{spoken(cautions).map((caution) => (
						<List.Item key={caution}>{t(`caution.${caution}`)}</List.Item>
					))}
				</List>
			</Foldable>
			<Foldable title={t("excludedTitle")}>
				<List size="sm" spacing={4}>
					{excluded.map((part) => (
						<List.Item key={part}>{t(`excluded.${part}`)}</List.Item>
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
