import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, SiteView } from "@/bridge";
import { Wire } from "@/components/after-run";
import { CopyField } from "@/components/copy-field";
import { OutcomeIcon } from "@/components/outcome";
import { outcomeNow, useEntryName } from "@/lib/history-text";
import { useBusySites } from "@/lib/runs";
import { summaryText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target-name";
import { AsCommand } from "./as-command";
import { DetailsFrame } from "./details-frame";
import { EntryActions } from "./entry-actions";
import { Facts } from "./facts";
import { Origin } from "./origin";
import { OutcomeResolution } from "./outcome-check";
import { Recovery } from "./recovery";
import { RunParts } from "./run-parts";

interface HistoryDetailsProps {
	entry: HistoryEntry;
	/** Saved site of the entry; `null` if it was removed. */
	site: SiteView | null;
	/** Whether the outcome is checked at once. */
	checked: boolean;
	/** Whether the details take the focus. `false` while the user moves through the list by keyboard. */
	takesFocus: boolean;
	onClose: () => void;
	onOpenReport: () => void;
}

export function HistoryDetails({ entry, site, checked, takesFocus, onClose, onOpenReport }: HistoryDetailsProps) {
	const { t } = useTranslation(["history", "common"]);
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useBusySites());
	const operation = useEntryName()(entry);
	const target = useTargetName()(entry) || t("allSites");
	return (
		<DetailsFrame
			label={t("details.title", { operation, site: target })}
			operation={operation}
			target={target}
			at={entry.startedAt}
			takesFocus={takesFocus}
			onClose={onClose}
		>
			<Group gap="xs" wrap="nowrap">
				<OutcomeIcon outcome={outcome} />
				<Text>{common(`outcome.${outcome}`)}</Text>
			</Group>
			{entry.summary ? (
				<Text fw={600} mod="anywhere">
					{summaryText(common, entry.summary)}
				</Text>
			) : null}
			<RunParts summary={entry.summary} />
			<OutcomeResolution entry={entry} />
			<Recovery entry={entry} outcome={outcome} site={site} checked={checked} onClose={onClose} />
			<EntryActions entry={entry} site={site} onOpenReport={onOpenReport} />
			<Facts entry={entry} />
			{entry.note ? (
				<Stack gap={4}>
					<CopyField label={t("details.note")} value={entry.note} />
					{unnamedUploads(entry).map((upload) => (
						<Origin key={upload} entry={entry} parameter={{ name: "location", value: upload, isUpload: true }} />
					))}
				</Stack>
			) : null}
			<div>
				<Wire record={entry.id} />
				{entry.hasCommand ? <AsCommand record={entry.id} /> : null}
			</div>
		</DetailsFrame>
	);
}

/** Returns the IDs of uploads that the note mentions without a name. */
function unnamedUploads({ noteParts }: HistoryEntry): string[] {
	return noteParts.flatMap(({ text, upload }) => (upload !== null && text === "" ? [upload] : []));
}
