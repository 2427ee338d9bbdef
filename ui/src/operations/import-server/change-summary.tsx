import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ChangeSummary, ExportComparison, ImportEffect, Problem, SiteView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { Lines } from "@/components/text";
import { useTargetNameOf } from "@/lib/target-name";

type ChangeSummaryQuery = UseQueryResult<ChangeSummary, Problem>;

interface ChangeSummaryProps {
	site: SiteView;
	summary: ChangeSummaryQuery;
	/** Comparison with the selected export; `undefined` until it is read. */
	compared: ExportComparison | undefined;
}

export function ChangeSummaryNotice({ site, summary, compared }: ChangeSummaryProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	if (summary.isPending) return <LoadingRows rows={3} height={20} />;
	if (summary.error) return <ProblemNotice problem={summary.error} onRetry={() => void summary.refetch()} />;
	const { cautions, excluded } = summary.data;
	// The count of the comparison takes precedence, because services can be published while the form is open.
	const { services } = compared?.comparison ? compared : summary.data;
	return (
		<>
			{services === null ? null : <Text fw={600}>{t("services", { count: services, site: target })}</Text>}
			<Foldable title={t("effectsTitle")}>
				<Lines spacing={4} lines={withoutExcluded(cautions).map((caution) => t(`caution.${caution}`))} />
			</Foldable>
			<Foldable title={t("excludedTitle")}>
				<Lines spacing={4} lines={excluded.map((part) => t(`excluded.${part}`))} />
			</Foldable>
		</>
	);
}

/** Returns the effects without the one about excluded parts, which are listed below. */
function withoutExcluded(cautions: readonly ImportEffect[]): ImportEffect[] {
	return cautions.filter((caution) => caution !== "excludedFromExport");
}
