import { List, Stack, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { FaultRule } from "@/bridge";
import { CommandButton } from "@/components/command-button";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { formatDuration } from "@/lib/format";
import { useActiveFaults } from "@/lib/queries/program";
import { useTargetText } from "./fault-text";
import { useFaultAction } from "./use-fault-action";

/** Lists pending simulated faults, with a button that removes them. */
export function ActiveFaults() {
	const { t } = useTranslation("faultInjection");
	const targetWords = useTargetText();
	const active = useActiveFaults();
	const faultText = ({ fault, seconds }: FaultRule) => {
		const name = t(`fault.${fault}.name`);
		return fault === "delay" ? t("active.slow", { fault: name, delay: formatDuration(seconds * 1_000) }) : name;
	};
	const lineOf = (rule: FaultRule) => {
		const line = t("active.line", {
			fault: faultText(rule),
			target: targetWords(rule.target),
			count: rule.times,
		});
		return rule.onTest ? t("active.onTest", { line }) : line;
	};
	const clear = useFaultAction((backend) => backend.clearFaults());
	return (
		<Card
			title={t("active.title")}
			beside={active.data?.length ? <CommandButton command={clear} label={t("active.clear")} /> : null}
		>
			{active.isPending ? <LoadingRows rows={1} height={24} /> : null}
			{active.error ? <ProblemNotice problem={active.error} onRetry={() => void active.refetch()} /> : null}
			{clear.error ? <ProblemNotice problem={clear.error} /> : null}
			<Stack role="status" gap="xs">
				{active.data?.length === 0 ? <Text c="dimmed">{t("active.none")}</Text> : null}
				{active.data?.length ? (
					<List spacing={4} center icon={<IconBolt size={16} color="var(--tone-warnings)" aria-hidden />}>
						{active.data.map((order, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: the list can contain equal faults
							<List.Item key={index}>{lineOf(order)}</List.Item>
						))}
					</List>
				) : null}
			</Stack>
			<Text c="dimmed">{t("always")}</Text>
		</Card>
	);
}
