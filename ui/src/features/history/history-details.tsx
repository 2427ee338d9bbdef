import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, SiteView } from "@/bridge";
import { Wire } from "@/components/after-run";
import { CopyField } from "@/components/copy-field";
import { OutcomeIcon } from "@/components/outcome";
import { formatDateTime } from "@/lib/format";
import { outcomeNow, useEntryName } from "@/lib/history-text";
import { useRuns } from "@/lib/runs";
import { summaryText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target-name";
import { least, useRoom } from "@/lib/use-fill-height";
import { useNarrow } from "@/lib/use-narrow";
import { AsCommand } from "./as-command";
import { EntryActions } from "./entry-actions";
import { Facts } from "./facts";
import classes from "./history-details.module.css";
import { Origin } from "./origin";
import { OutcomeResolution } from "./outcome-check";
import { Recovery } from "./recovery";

interface HistoryDetailsProps {
	entry: HistoryEntry;
	/** The site, while it is among the saved ones. */
	site: SiteView | null;
	/** Whether the person comes to have the outcome checked. */
	checked: boolean;
	/** Whether the keyboard goes to the details: not while it goes on through the list. */
	takesFocus: boolean;
	onClose: () => void;
	onOpenReport: () => void;
}

/** All of an entry, beside the list: what can be done about it, then the facts, then the request. */
export function HistoryDetails({ entry, site, checked, takesFocus, onClose, onOpenReport }: HistoryDetailsProps) {
	const { t } = useTranslation(["history", "common"]);
	const { t: common } = useTranslation("common");
	const narrow = useNarrow();
	const frame = useRef<HTMLDivElement>(null);
	const heading = useRef<HTMLHeadingElement>(null);
	const room = useRoom(frame);
	const outcome = outcomeNow(entry, useRuns());
	const operation = useEntryName()(entry);
	const target = useTargetName()(entry) || t("allSites");
	const leads = takesFocus || narrow;
	useEffect(() => {
		// In a narrow window the list is out of sight, and the focus with it.
		if (leads) heading.current?.focus({ preventScroll: true });
	}, [leads]);
	return (
		<Paper
			withBorder
			ref={frame}
			component="section"
			aria-label={t("details.title", { operation, site: target })}
			p="md"
			className={classes.details ?? ""}
			{...(room.height < least ? {} : { h: room.height })}
			// What scrolls is reached by the keyboard also where nothing in it is.
			tabIndex={-1}
		>
			<Stack gap="sm">
				{narrow ? (
					<Button
						leftSection={<IconArrowLeft size={16} aria-hidden />}
						onClick={onClose}
						style={{ alignSelf: "flex-start" }}
					>
						{t("report.back")}
					</Button>
				) : null}
				<div>
					<Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
						<Title order={2} size="h3" ref={heading} tabIndex={-1} className={classes.title ?? ""}>
							{operation}{" "}
							<Text span inherit fw={400} c="dimmed">
								{target}
							</Text>
						</Title>
						{narrow ? null : (
							<ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t("details.close")}>
								<IconX size={16} aria-hidden />
							</ActionIcon>
						)}
					</Group>
					<Text size="xs" c="dimmed">
						{formatDateTime(entry.startedAt)}
					</Text>
				</div>
				<Group gap={6} wrap="nowrap">
					<OutcomeIcon outcome={outcome} />
					<Text>{common(`outcome.${outcome}`)}</Text>
				</Group>
				{entry.summary ? (
					<Text fw={600} style={{ overflowWrap: "anywhere" }}>
						{summaryText(common, entry.summary)}
					</Text>
				) : null}
				<OutcomeResolution entry={entry} />
				<Recovery entry={entry} outcome={outcome} site={site} checked={checked} onClose={onClose} />
				<EntryActions entry={entry} site={site} onOpenReport={onOpenReport} />
				<Facts entry={entry} />
				{entry.note ? (
					<Stack gap={4}>
						<CopyField label={t("details.note")} value={entry.note} />
						{unnamedUploads(entry).map((upload) => (
							<Origin key={upload} entry={entry} name="location" value={upload} />
						))}
					</Stack>
				) : null}
				<div>
					<Wire record={entry.id} />
					{entry.hasCommand ? <AsCommand record={entry.id} /> : null}
				</div>
			</Stack>
		</Paper>
	);
}

/** Identifiers of uploads that stand in the note without a name. */
function unnamedUploads({ noteParts }: HistoryEntry): string[] {
	return noteParts.flatMap(({ text, upload }) => (upload !== null && text === "" ? [upload] : []));
}
