import { Button, Checkbox, Popover, SimpleGrid, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ItemColumn } from "@/bridge";
import { type ColumnChoice, layouts, usualColumns } from "./columns";

interface ColumnMenuProps {
	choice: ColumnChoice;
	onChoice: (choice: ColumnChoice) => void;
}

/** Menu to select columns. At least one column stays. */
export function ColumnMenu({ choice, onChoice }: ColumnMenuProps) {
	const { t } = useTranslation("findItems");
	const isLast = (column: ItemColumn) => choice.shown.length === 1 && choice.shown[0] === column;
	return (
		<Popover position="bottom-end" trapFocus returnFocus shadow="md" width={340}>
			<Popover.Target>
				<Button leftSection={<IconColumns3 size={16} aria-hidden />}>{t("columns")}</Button>
			</Popover.Target>
			<Popover.Dropdown aria-label={t("columns")}>
				<Stack gap="xs">
					<Checkbox.Group
						aria-label={t("columns")}
						value={choice.shown}
						onChange={(shown) => onChoice({ ...choice, shown: shown as ItemColumn[] })}
					>
						<SimpleGrid cols={2} spacing="sm" verticalSpacing="xs">
							{layouts.map(({ column }) => (
								<Checkbox
									key={column}
									size="xs"
									value={column}
									label={t(`column.${column}`)}
									disabled={isLast(column)}
								/>
							))}
						</SimpleGrid>
					</Checkbox.Group>
					<Button onClick={() => onChoice(usualColumns)}>{t("usualColumns")}</Button>
				</Stack>
			</Popover.Dropdown>
		</Popover>
	);
}
