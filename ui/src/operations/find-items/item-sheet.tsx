import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { DataMachine, DataStoreItem, SearchId, Target } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { CopyButton } from "@/components/copy-button";
import { CopyField } from "@/components/copy-field";
import { ProblemNotice } from "@/components/problem-notice";
import { Heads } from "@/components/wide-table";
import { useCommand } from "@/lib/use-command";
import { ItemUsePart, ItemValidationPart } from "./item-checks";
import { typeText } from "./type-text";

interface ItemSheetProps {
	target: Target;
	search: SearchId;
	/** Index of the item in the search result. */
	place: number;
	/** Location of the data; empty if the site does not report it. */
	location: string;
	item: DataStoreItem;
}

/** Properties of an item. Its secrets are in the window only between "reveal" and "hide". */
export function ItemSheet({ target, search, place, location, item }: ItemSheetProps) {
	const { t } = useTranslation("findItems");
	const reveal = useCommand((backend) => backend.revealItem(target, search, place));
	const secrets = new Map(reveal.data?.map(({ name, value }) => [name, value]));
	const hasSecrets = item.info.some(({ secret }) => secret);
	// Copies no secrets, because other apps can read the clipboard.
	const plain = item.info.map(({ name, value }) => `${name}: ${value}`).join("\n");
	return (
		<Stack>
			<Text>{typeText(t, item.type)}</Text>
			{location ? <CopyField label={t("column.location")} value={location} copyLabel={t("copyLocation")} /> : null}
			<CopyField label={t("path")} value={item.path} copyLabel={t("copyPath")} isPath />
			{item.machines.length > 0 ? <ItemMachines machines={item.machines} /> : null}
			<ItemValidationPart target={target} search={search} place={place} />
			<ItemUsePart target={target} search={search} place={place} />
			<Group justify="space-between">
				<Title order={3} size="h5">
					{t("everything")}
				</Title>
				<Group gap="xs">
					{hasSecrets ? (
						<Button
							leftSection={reveal.data ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
							loading={reveal.isPending}
							onClick={() => (reveal.data ? reveal.reset() : reveal.mutate())}
						>
							{t(reveal.data ? "hideSecrets" : "revealSecrets")}
						</Button>
					) : null}
					<CopyButton value={plain} label={t("copyAll")} />
				</Group>
			</Group>
			{hasSecrets ? (
				<Text c="dimmed" role="status">
					{t(reveal.data ? "secretsOpen" : "secrets")}
				</Text>
			) : null}
			{reveal.error ? <ProblemNotice problem={reveal.error} /> : null}
			<Table layout="fixed" withTableBorder verticalSpacing={4}>
				<Heads of={[[t("field"), { w: "42%" }], t("value")]} />
				<Table.Tbody>
					{item.info.map(({ name, value }) => (
						<Table.Tr key={name}>
							<Table.Td mod="anywhere">{name}</Table.Td>
							<Table.Td mod="anywhere">
								<Breakable>{secrets.get(name) ?? value}</Breakable>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Stack>
	);
}

function ItemMachines({ machines }: { machines: readonly DataMachine[] }) {
	const { t } = useTranslation("findItems");
	return (
		<Table withTableBorder aria-label={t("machines")}>
			<Heads of={[t("machine"), t("port"), t("platform"), t("role")]} />
			<Table.Tbody>
				{machines.map(({ name, dbPort, platform, role }) => (
					<Table.Tr key={`${name} ${dbPort}`}>
						<Table.Td mod="anywhere">{name}</Table.Td>
						<Table.Td>{dbPort === null ? t("unsaid") : String(dbPort)}</Table.Td>
						<Table.Td>{platform || t("unsaid")}</Table.Td>
						<Table.Td>{role || t("unsaid")}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}
