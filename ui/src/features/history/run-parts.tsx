import { Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Summary } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { LinkButton } from "@/components/text";
import { useNavigation } from "@/lib/navigation";

/** Parts of a plan run or of a rehearsal. Those that were exported or imported link to their entry. */
export function RunParts({ summary }: { summary: Summary | null }) {
	const { t } = useTranslation("history");
	const { go } = useNavigation();
	if ((summary?.kind !== "planRun" && summary?.kind !== "rehearsal") || summary.parts.length === 0) return null;
	return (
		<Stack gap={4}>
			<Title order={3} fz="sm" lh="sm">
				{t("details.parts")}
			</Title>
			{summary.parts.map(({ name, isAsExpected, record }) => (
				<Group key={`${record} ${name}`} gap="xs" wrap="nowrap">
					<OutcomeIcon outcome={isAsExpected ? "succeeded" : "failed"} />
					{record === null ? (
						<Text mod="anywhere">{name}</Text>
					) : (
						<LinkButton ta="start" mod="anywhere" onClick={() => go({ page: "history", record })}>
							{name}
						</LinkButton>
					)}
					<Text c="dimmed">{t(isAsExpected ? "details.partAsExpected" : "details.partNotAsExpected")}</Text>
				</Group>
			))}
		</Stack>
	);
}
