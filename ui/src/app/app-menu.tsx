import { ActionIcon, Menu } from "@mantine/core";
import { IconCommand, IconMenu2 } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Command } from "./commands";
import { Keys } from "./keys";

/** Groups of the menu, by command ID. */
const groups = [["back", "forward"], ["shortcuts"], ["zoom-in", "zoom-out", "zoom-reset"], ["help", "settings"]];

interface AppMenuProps {
	commands: readonly Command[];
	onPalette: () => void;
}

/** Application menu: the command palette, and the commands about the app itself. */
export function AppMenu({ commands, onPalette }: AppMenuProps) {
	const { t } = useTranslation();
	return (
		<Menu position="bottom-end" width={260}>
			<Menu.Target>
				<ActionIcon variant="transparent" color="currentColor" aria-label={t("menu.title")} title={t("menu.title")}>
					<IconMenu2 size={18} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item
					leftSection={<IconCommand size={16} stroke={1.5} aria-hidden />}
					rightSection={<Keys of="mod+K" />}
					onClick={onPalette}
				>
					{t("menu.palette")}
				</Menu.Item>
				{groups.map((ids, place) => [
					place > 0 ? <Menu.Divider key={`before ${ids[0]}`} /> : null,
					...commands
						.filter(({ id }) => ids.includes(id))
						.map(({ id, label, icon: Icon, keys, reason, run }) => (
							<Menu.Item
								key={id}
								leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
								rightSection={keys ? <Keys of={keys} /> : null}
								disabled={reason !== undefined}
								title={reason}
								onClick={run}
							>
								{label}
							</Menu.Item>
						)),
				])}
			</Menu.Dropdown>
		</Menu>
	);
}
