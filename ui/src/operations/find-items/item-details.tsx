import { Drawer, Stack, Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DataItem, DataMachine } from "@/bridge";
import { CopyField } from "@/components/copy-field";

/** Everything the site said of one item. */
export function ItemDetails({ item, onClose }: { item: DataItem | null; onClose: () => void }) {
	const { t } = useTranslation("findItems");
	return (
		<Drawer
			opened={item !== null}
			onClose={onClose}
			position="right"
			size="lg"
			title={t("details", { name: item?.name ?? "" })}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			{item ? (
				<Stack>
					<CopyField label={t("path")} value={item.path} copyLabel={t("copyPath")} />
					{item.machines.length > 0 ? <Machines machines={item.machines} /> : null}
					<Title order={3} size="h5">
						{t("everything")}
					</Title>
					{item.info.some(({ secret }) => secret) ? (
						<Text size="sm" c="dimmed">
							{t("secrets")}
						</Text>
					) : null}
					<Table layout="fixed" withTableBorder verticalSpacing={4}>
						<Table.Thead>
							<Table.Tr>
								<Table.Th w="42%">{t("field")}</Table.Th>
								<Table.Th>{t("value")}</Table.Th>
							</Table.Tr>
						</Table.Thead>
						<Table.Tbody>
							{item.info.map(({ name, value }) => (
								<Table.Tr key={name}>
									<Table.Td style={{ overflowWrap: "anywhere" }}>{name}</Table.Td>
									<Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				</Stack>
			) : null}
		</Drawer>
	);
}

function Machines({ machines }: { machines: readonly DataMachine[] }) {
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
						<Table.Td>{dbPort ?? t("unsaid")}</Table.Td>
						<Table.Td>{platform}</Table.Td>
						<Table.Td>{role}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}
