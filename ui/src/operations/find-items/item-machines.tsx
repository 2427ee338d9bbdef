import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DataMachine } from "@/bridge";

/** The machines a data store runs on. */
export function ItemMachines({ machines }: { machines: readonly DataMachine[] }) {
	const { t } = useTranslation("findItems");
	return (
		<Table withTableBorder aria-label={t("machines")}>
			<Table.Thead>
				<Table.Tr>
					<Table.Th>{t("machine")}</Table.Th>
					<Table.Th>{t("port")}</Table.Th>
					<Table.Th>{t("platform")}</Table.Th>
					<Table.Th>{t("role")}</Table.Th>
				</Table.Tr>
			</Table.Thead>
			<Table.Tbody>
				{machines.map(({ name, dbPort, platform, role }) => (
					<Table.Tr key={`${name} ${dbPort}`}>
						<Table.Td style={{ overflowWrap: "anywhere" }}>{name}</Table.Td>
						<Table.Td>{dbPort === null ? t("unsaid") : String(dbPort)}</Table.Td>
						<Table.Td>{platform || t("unsaid")}</Table.Td>
						<Table.Td>{role || t("unsaid")}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}
