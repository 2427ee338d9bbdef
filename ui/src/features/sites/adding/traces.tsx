import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DiscoveryAttemptView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { formatNumber } from "@/lib/format";
import { useOutcomeWords } from "./outcome-text";

/** Every address that was asked, with what it answered. */
export function Traces({ traces }: { traces: readonly DiscoveryAttemptView[] }) {
	const { t } = useTranslation("sites");
	const words = useOutcomeWords();
	return (
		<Foldable title={t("found.traces", { count: traces.length, formatted: formatNumber(traces.length) })}>
			<Table withTableBorder verticalSpacing={6} layout="fixed">
				<Table.Thead>
					<Table.Tr>
						<Table.Th w="55%">{t("found.address")}</Table.Th>
						<Table.Th>{t("found.answer")}</Table.Th>
					</Table.Tr>
				</Table.Thead>
				<Table.Tbody>
					{traces.map(({ address, outcome }, place) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: one address may be asked twice, and the list never changes
						<Table.Tr key={`${address} ${place}`}>
							<Table.Td style={{ overflowWrap: "anywhere" }}>
								<Text size="xs" ff="monospace">
									{address}
								</Text>
							</Table.Td>
							<Table.Td style={{ overflowWrap: "anywhere" }}>
								<Text size="sm">{words(outcome)}</Text>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Foldable>
	);
}
