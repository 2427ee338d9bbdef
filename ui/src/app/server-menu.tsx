import { Button, Menu, Text } from "@mantine/core";
import { IconCheck, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { nameOfServer } from "@/lib/target-name";
import { useChooseServer } from "@/lib/use-choose-server";
import classes from "./top-bar.module.css";

/** Chooses the server that the page acts on. */
export function ServerMenu({ site, server }: { site: SiteView; server: string }) {
	const { t } = useTranslation();
	const choose = useChooseServer();
	return (
		<>
			<IconChevronRight size={16} aria-hidden style={{ flex: "none" }} />
			<Menu position="bottom-start" width={320}>
				<Menu.Target>
					<Button
						size="compact-md"
						variant="transparent"
						className={classes.server ?? ""}
						aria-label={t("bar.chosenServer", { server })}
						title={server}
						rightSection={<IconChevronDown size={14} aria-hidden />}
					>
						<Text span inherit truncate>
							{server}
						</Text>
					</Button>
				</Menu.Target>
				<Menu.Dropdown>
					{site.servers.map((one) =>
						one.id === null ? null : (
							<Menu.Item
								key={one.id}
								aria-current={one.id === site.currentServer}
								leftSection={
									one.id === site.currentServer ? (
										<IconCheck size={16} aria-hidden />
									) : (
										<span className={classes.unchecked ?? ""} />
									)
								}
								onClick={() => void choose(site, one.id)}
							>
								<Text size="md" fw={600} truncate title={nameOfServer(one)}>
									{nameOfServer(one)}
								</Text>
								<Text size="xs" c="dimmed" truncate title={one.address}>
									{one.address}
								</Text>
							</Menu.Item>
						),
					)}
				</Menu.Dropdown>
			</Menu>
		</>
	);
}
