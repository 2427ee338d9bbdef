import { Group, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { PortalInventory } from "@/bridge";
import { Fact, LongFact } from "@/components/fact-list";
import { Foldable } from "@/components/foldable";
import { MissingParts } from "@/components/missing-parts";
import { Heads } from "@/components/wide-table";
import { formatNumber } from "@/lib/format";

const parts = ["items", "users", "groups", "collaborations"] as const;

/** Line of a result: contents of the portal after an export, as far as the user can see them. */
export function Inventory({ inventory }: { inventory: PortalInventory | null }) {
	const { t } = useTranslation("exportPortal", { keyPrefix: "inventory" });
	const { t: shared } = useTranslation("run", { keyPrefix: "inventory" });
	if (inventory === null) return <Fact name={shared("title")}>{shared("skipped")}</Fact>;
	const counted = parts.flatMap((part) => {
		const number = inventory[part];
		return number === null ? [] : [t("count", { part: shared(`part.${part}`), number })];
	});
	return (
		<LongFact name={shared("title")}>
			{counted.length === 0 ? null : <Text>{t("taken")}</Text>}
			<Group gap="lg">
				{counted.map((line) => (
					<Text key={line}>{line}</Text>
				))}
			</Group>
			<MissingParts missing={inventory.missing} />
			{inventory.itemsByType.length === 0 ? null : (
				<Foldable title={t("byType")}>
					<Table aria-label={t("byType")} w="auto">
						<Heads of={[t("column.type"), [t("column.items"), { ta: "end" }]]} />
						<Table.Tbody>
							{inventory.itemsByType.map(({ type, count }) => (
								<Table.Tr key={type}>
									<Table.Td>{type}</Table.Td>
									<Table.Td ta="end">{formatNumber(count)}</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				</Foldable>
			)}
		</LongFact>
	);
}
