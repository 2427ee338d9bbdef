import { Box, Button, Group, NavLink, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { IconArrowLeft, IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageKey } from "@/lib/page-keys";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import licences from "./licences.json";

interface Part {
	name: string;
	version: string;
	licence: string;
	texts: number[];
}

const parts: Part[] = licences.parts;

/** All parts, found by name or licence; choosing one shows its text. */
export default function LicenceList() {
	const { t } = useTranslation();
	const find = usePageKey("find");
	const [search, setSearch] = useState("");
	const [open, setOpen] = useState<Part | null>(null);
	const wanted = useDeferredValue(search.trim().toLowerCase());
	const found = parts.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted));
	if (open) return <LicenceText part={open} onBack={() => setOpen(null)} />;
	return (
		<Stack gap="xs">
			<TextInput
				label={t("settings.licencesSearch")}
				leftSection={<IconSearch size={16} aria-hidden />}
				value={search}
				onChange={(event) => setSearch(event.currentTarget.value)}
				data-autofocus
				{...find}
			/>
			<Text c="dimmed" role="status">
				{t("settings.licencesCount", { count: found.length })}
			</Text>
			<Parts parts={found} onOpen={setOpen} />
		</Stack>
	);
}

const rowHeight = 52;

/** The dialog is no higher than nine tenths of the window: in a low one, the list alone scrolls. */
const listHeight = "max(5rem, min(50dvh, 90dvh - 14rem))";

/** Only the rows in view are there: hundreds of buttons would make typing slow. */
function Parts({ parts, onOpen }: { parts: readonly Part[]; onOpen: (part: Part) => void }) {
	const frame = useRef<HTMLDivElement>(null);
	const rows = useVirtualRows({ count: parts.length, scroller: () => frame.current, rowHeight: () => rowHeight });
	return (
		<Box ref={frame} h={listHeight} style={{ overflowY: "auto" }}>
			<Box h={rows.getTotalSize()} pos="relative">
				{rows.getVirtualItems().map(({ index, start }) => {
					const part = parts[index];
					return part ? (
						<NavLink
							key={`${part.name} ${part.version}`}
							component="button"
							pos="absolute"
							top={start}
							h={rowHeight}
							style={{ borderBlockEnd: "1px solid var(--mantine-color-default-border)" }}
							label={`${part.name} ${part.version}`}
							description={part.licence}
							onClick={() => onOpen(part)}
						/>
					) : null;
				})}
			</Box>
		</Box>
	);
}

function LicenceText({ part, onBack }: { part: Part; onBack: () => void }) {
	const { t } = useTranslation();
	const name = `${part.name} ${part.version}`;
	return (
		<Stack gap="xs">
			<Group gap="sm">
				<Button leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={onBack} autoFocus>
					{t("action.back")}
				</Button>
				<Text fw={600}>{t("settings.licencesText", { part: name })}</Text>
			</Group>
			<Text>{part.licence}</Text>
			<ScrollArea h={listHeight} type="auto" viewportProps={{ tabIndex: 0, "aria-label": name }}>
				{part.texts.map((place) => (
					<Text key={place} size="xs" ff="monospace" style={{ whiteSpace: "pre-wrap" }} mb="lg">
						{licences.texts[place]}
					</Text>
				))}
			</ScrollArea>
		</Stack>
	);
}
