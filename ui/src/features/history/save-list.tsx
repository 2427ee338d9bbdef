import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { HistoryFormat, Problem, SaveResult } from "@/bridge";

interface SaveListProps {
	save: UseMutationResult<SaveResult, Problem, HistoryFormat>;
	disabled: boolean;
}

const formats: readonly HistoryFormat[] = ["csv", "json"];

/** Saves everything that the search finds, also what was not scrolled to. */
export function SaveList({ save, disabled }: SaveListProps) {
	const { t } = useTranslation("history");
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<Button
					variant="default"
					disabled={disabled}
					loading={save.isPending}
					leftSection={<IconDownload size={16} aria-hidden />}
					rightSection={<IconChevronDown size={14} aria-hidden />}
				>
					{t("saveList.button")}
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{formats.map((format) => (
					<Menu.Item key={format} onClick={() => save.mutate(format)}>
						{t(`saveList.${format}`)}
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	);
}
