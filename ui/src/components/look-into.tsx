import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ExportEntries, ExportFile, Target } from "@/bridge";
import { useCommand } from "@/lib/use-command";
import { DialogFrame } from "./dialog";
import { CommandButton, Notice, ProblemNotice } from "./notice";
import { Outcome } from "./outcome";
import { Pages, usePages } from "./searched-list";
import { Lines } from "./text";

/**
 * Lists the entries of an export file, which can be on this computer, an upload, or a recorded export. The app reads
 * only the index of the file.
 */
export function LookInto({ target, file }: { target: Target; file: ExportFile }) {
	const { t } = useTranslation("importServer", { keyPrefix: "lookInto" });
	const look = useCommand((backend) => backend.listExportEntries(target, file));
	return (
		<Stack gap="xs" align="flex-start">
			<CommandButton command={look} label={t(file.kind)} />
			<ProblemNotice problem={look.error} />
			{look.data ? <Entries entries={look.data} onClose={look.reset} /> : null}
		</Stack>
	);
}

function Entries({ entries, onClose }: { entries: ExportEntries; onClose: () => void }) {
	const { t } = useTranslation("importServer", { keyPrefix: "lookInto" });
	const { t: faults } = useTranslation("exportServer", { keyPrefix: "verification" });
	const [search, setSearch] = useState("");
	const looked = search.trim().toLowerCase();
	const pages = usePages(entries.names.filter((name) => name.toLowerCase().includes(looked)));
	const inFolders = entries.names.filter((name) => name.includes("/"));
	const folders = new Set(inFolders.map((name) => name.slice(0, name.lastIndexOf("/"))));
	return (
		<DialogFrame opened onClose={onClose} size="lg" title={t("title")}>
			<Stack gap="xs">
				{entries.path === "" ? null : <Text mod="anywhere">{entries.path}</Text>}
				{entries.fault ? (
					<Outcome outcome="failed" title={faults(`fault.${entries.fault}`)} />
				) : (
					<>
						<Text role="status">{t("counts", { entries: entries.count, folders: folders.size })}</Text>
						{entries.repeated > 0 ? (
							<Notice
								text={t("repeatedWhat")}
								tone="warnings"
								role="alert"
								title={t("repeated", { count: entries.repeated })}
							/>
						) : null}
						{entries.count > entries.names.length ? <Text>{t("named", { number: entries.names.length })}</Text> : null}
						<TextInput label={t("search")} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
						{pages.total === 0 ? <Text c="dimmed">{t("none")}</Text> : null}
						<Lines aria-label={t("title")} listStyleType="none" lines={pages.shown} />
						<Pages handle={pages} label={t("pages")} />
						<Text c="dimmed">{t("asItIs")}</Text>
					</>
				)}
			</Stack>
		</DialogFrame>
	);
}
