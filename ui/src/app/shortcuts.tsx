import { Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { DialogFrame } from "@/components/dialog";
import { type PageAction, pageKeys } from "@/lib/page-keys";
import { useWindowDialog } from "@/lib/use-window-dialog";
import { type Command, type CommandGroup, Keys } from "./commands";

interface ShortcutsProps {
	commands: readonly Command[];
	opened: boolean;
	onClose: () => void;
}

/** Two columns: commands of the site, and of the window. */
const columns: readonly (readonly CommandGroup[])[] = [["here"], ["pages", "actions"]];

export function Shortcuts({ commands, opened, onClose }: ShortcutsProps) {
	const { t } = useTranslation();
	const dialog = useWindowDialog(opened, onClose);
	// Shortcut that is handled outside of the commands.
	const elsewhere: (KeyedRow & { group: CommandGroup })[] = [
		{ id: "palette", group: "actions", label: t("palette.title"), keys: "mod+K" },
	];
	const onPage = Object.entries(pageKeys).map(([id, keys]) => ({
		id,
		label: t(`shortcuts.onPage.${id as PageAction}`),
		keys,
	}));
	return (
		<DialogFrame {...dialog} size="lg" title={t("shortcuts.title")}>
			<SimpleGrid cols={2} spacing="xl">
				{columns.map((groups, column) => (
					<Stack key={groups.join()}>
						{groups.map((group) => (
							<Keyed
								key={group}
								title={t(`palette.group.${group}`)}
								rows={[...elsewhere.filter((row) => row.group === group), ...keyed(commands, group)]}
							/>
						))}
						{column === 0 ? <Keyed title={t("shortcuts.page")} rows={onPage} /> : null}
					</Stack>
				))}
			</SimpleGrid>
		</DialogFrame>
	);
}

type KeyedRow = Required<Pick<Command, "id" | "label" | "keys">>;

function keyed(commands: readonly Command[], group: CommandGroup): KeyedRow[] {
	return commands.flatMap(({ id, label, keys, group: its }) => (keys && its === group ? [{ id, label, keys }] : []));
}

function Keyed({ title, rows }: { title: string; rows: readonly KeyedRow[] }) {
	if (rows.length === 0) return null;
	return (
		<Stack gap="xs">
			<Title order={3} size="h3">
				{title}
			</Title>
			{rows.map(({ id, label, keys }) => (
				<Group key={id} justify="space-between" wrap="nowrap">
					<Text>{label}</Text>
					<Keys of={keys} />
				</Group>
			))}
		</Stack>
	);
}
