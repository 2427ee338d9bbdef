import { Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, RecordId, SiteView } from "@/bridge";
import { Wire } from "@/components/after-run";
import { Breakable } from "@/components/breakable";
import { CopyField } from "@/components/copy-field";
import { OutcomeBadge } from "@/components/outcome";
import { UndoImport } from "@/components/undo-import";
import { formatDuration, formatExactTime } from "@/lib/format";
import { isAct, outcomeNow, useEntryName } from "@/lib/history-text";
import { useOperationUis } from "@/lib/operation-ui";
import { useRuns } from "@/lib/runs";
import { summaryText } from "@/lib/summary-text";
import { useTargetName } from "@/lib/target-name";
import { useHeld } from "@/lib/use-held";
import type { words } from "@/messages/en/later";
import { joined } from "@/messages/isolated";
import { AsCommand } from "./as-command";
import { EntryActions } from "./entry-actions";
import { Origin } from "./origin";
import { OutcomeCheck, OutcomeResolution } from "./outcome-check";

interface HistoryDetailsProps {
	entry: HistoryEntry | null;
	sites: readonly SiteView[];
	/** The one whose outcome is checked at once. */
	checked: RecordId | null;
	onClose: () => void;
	onOpenReport: (entry: HistoryEntry) => void;
}

type Texts = (typeof words)["history"]["details"];

/** Parameters whose value is a word of the app, or two with an arrow between. */
const spoken = [
	"signInMethod",
	"purpose",
	"siteEnvironment",
	"siteReadOnly",
	"siteConnection",
	"siteDeploymentType",
	"siteSource",
];
export function HistoryDetails({ entry, sites, checked, onClose, onOpenReport }: HistoryDetailsProps) {
	const { t } = useTranslation(["history", "common"]);
	const nameOf = useEntryName();
	const targetOf = useTargetName();
	const shown = useHeld(entry, entry === null);
	const names = shown && { operation: nameOf(shown), site: targetOf(shown) || t("allSites") };
	return (
		<Drawer
			opened={entry !== null}
			onClose={onClose}
			position="right"
			size={520}
			title={names && t("details.title", names)}
			closeButtonProps={{ "aria-label": t("details.close") }}
		>
			{shown ? (
				<Details
					key={shown.id}
					entry={shown}
					site={sites.find(({ id }) => id === shown.site) ?? null}
					checked={shown.id === checked}
					onClose={onClose}
					onOpenReport={() => onOpenReport(shown)}
				/>
			) : null}
		</Drawer>
	);
}

interface DetailsProps {
	entry: HistoryEntry;
	site: SiteView | null;
	checked: boolean;
	onClose: () => void;
	onOpenReport: () => void;
}

function Details({ entry, site, checked, onClose, onOpenReport }: DetailsProps) {
	const { t, i18n } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const outcome = outcomeNow(entry, useRuns());
	const target = useTargetName()(entry);
	const uis = useOperationUis();
	const ofOperation = isAct(entry.operation) ? null : uis[entry.operation];
	// What the app keeps for itself has a text. Everything else has the name by which it was sent.
	const isOwn = (name: string): name is keyof Texts["own"] => i18n.exists(`history:details.own.${name}`);
	const isSaid = (word: string): word is keyof Texts["said"] => i18n.exists(`history:details.said.${word}`);
	const ownName = (name: string) =>
		ofOperation?.parameterNames?.[name]?.(t) ?? (isOwn(name) ? t(`details.own.${name}`) : name);
	const inWords = (name: string, value: string) => {
		if (!spoken.includes(name)) return value;
		const words = value.split(" \u2192 ").map((word) => (isSaid(word) ? t(`details.said.${word}`) : word));
		return joined(words, " \u2192 ");
	};
	const elapsed = entry.elapsed ?? (entry.endedAt === null ? null : entry.endedAt - entry.startedAt);
	return (
		<Stack>
			<Group>
				<OutcomeBadge outcome={outcome} />
			</Group>
			{entry.summary ? (
				<Text fw={600} style={{ overflowWrap: "anywhere" }}>
					{summaryText(common, entry.summary)}
				</Text>
			) : null}
			{outcome === "unknown" ? (
				<>
					<Text size="sm">{t("details.unknown")}</Text>
					<OutcomeCheck key={entry.id} entry={entry} atOnce={checked} onLeave={onClose} />
				</>
			) : null}
			<OutcomeResolution entry={entry} />
			<EntryActions entry={entry} site={site} onOpenReport={onOpenReport} />
			<Table variant="vertical" layout="fixed" withTableBorder aria-label={t("time")}>
				<Table.Tbody>
					<Line name={t("details.started")}>{formatExactTime(entry.startedAt)}</Line>
					<Line name={t("details.ended")}>
						{entry.endedAt ? formatExactTime(entry.endedAt) : t("details.notEnded")}
					</Line>
					{elapsed === null ? null : <Line name={t("details.took")}>{formatDuration(elapsed)}</Line>}
					<Line name={t("details.who")}>{entry.username || t("details.nobody")}</Line>
					{entry.computer ? (
						<Line name={t("details.computer")}>
							{t("details.computerAs", { computer: entry.computer, user: entry.systemUser })}
						</Line>
					) : null}
					{entry.siteVersion ? <Line name={t("details.siteVersion")}>{entry.siteVersion}</Line> : null}
					{entry.programVersion ? <Line name={t("details.programVersion")}>{entry.programVersion}</Line> : null}
				</Table.Tbody>
			</Table>
			{entry.note ? (
				<Stack gap={4}>
					<CopyField label={t("details.note")} value={entry.note} />
					{unnamedUploads(entry).map((upload) => (
						<Origin key={upload} entry={entry} name="location" value={upload} />
					))}
				</Stack>
			) : null}
			<Stack gap="xs">
				<Title order={3} size="h4">
					{t("details.parameters")}
				</Title>
				{entry.parameters.length === 0 ? (
					<Text size="sm" c="dimmed">
						{t("details.noParameters")}
					</Text>
				) : (
					<Table variant="vertical" layout="fixed" withTableBorder aria-label={t("details.parameters")}>
						<Table.Tbody>
							{entry.parameters.map(({ name, value }) => (
								<Line key={`${name} ${value}`} name={ownName(name)}>
									{inWords(name, value)}
									<Origin entry={entry} name={name} value={value} />
								</Line>
							))}
						</Table.Tbody>
					</Table>
				)}
			</Stack>
			<Wire record={entry.id} />
			{entry.hasCommand ? <AsCommand record={entry.id} /> : null}
			{entry.hasSafetyBackup && site ? <UndoImport site={site} target={target} record={entry.id} /> : null}
			<Text size="xs" c="dimmed">
				{t("details.record")} {entry.id}
			</Text>
		</Stack>
	);
}

/** Identifiers of uploads that stand in the note without a name. */
function unnamedUploads({ noteParts }: HistoryEntry): string[] {
	return noteParts.flatMap(({ text, upload }) => (upload !== null && text === "" ? [upload] : []));
}

function Line({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Table.Tr>
			<Table.Th w={150} scope="row">
				<Breakable>{name}</Breakable>
			</Table.Th>
			<Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
		</Table.Tr>
	);
}
