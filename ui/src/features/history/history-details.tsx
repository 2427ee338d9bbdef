import { Button, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconReportSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { OutcomeBadge } from "@/components/outcome";
import { Time } from "@/components/time";
import { formatDuration } from "@/lib/format";
import { useHistoryName } from "@/lib/history-words";
import { OutcomeCheck, Settlement } from "./outcome-check";

interface HistoryDetailsProps {
	entry: HistoryEntry | null;
	onClose: () => void;
	onOpenReport: (entry: HistoryEntry) => void;
}

export function HistoryDetails({ entry, onClose, onOpenReport }: HistoryDetailsProps) {
	const { t } = useTranslation(["history", "common"]);
	const nameOf = useHistoryName();
	const operation = entry ? nameOf(entry.operation) : "";
	return (
		<Drawer
			opened={entry !== null}
			onClose={onClose}
			position="right"
			size={460}
			title={t("details.title", { operation, site: entry?.siteName ?? "" })}
			closeButtonProps={{ "aria-label": t("details.close") }}
		>
			{entry ? <Details entry={entry} onOpenReport={() => onOpenReport(entry)} /> : null}
		</Drawer>
	);
}

function Details({ entry, onOpenReport }: { entry: HistoryEntry; onOpenReport: () => void }) {
	const { t } = useTranslation("history");
	return (
		<Stack>
			<Group>
				<OutcomeBadge outcome={entry.outcome} />
			</Group>
			{entry.outcome === "unknown" ? (
				<>
					<Text size="sm">{t("details.unknown")}</Text>
					<OutcomeCheck key={entry.id} entry={entry} />
				</>
			) : null}
			<Settlement entry={entry} />
			{entry.hasReport ? (
				<Button
					leftSection={<IconReportSearch size={16} aria-hidden />}
					onClick={onOpenReport}
					style={{ alignSelf: "flex-start" }}
				>
					{t("details.openReport")}
				</Button>
			) : null}
			<Table variant="vertical" layout="fixed" withTableBorder aria-label={t("time")}>
				<Table.Tbody>
					<Line name={t("details.started")}>
						<Time at={entry.startedAt} />
					</Line>
					<Line name={t("details.ended")}>{entry.endedAt ? <Time at={entry.endedAt} /> : t("details.notEnded")}</Line>
					{entry.endedAt ? (
						<Line name={t("details.took")}>{formatDuration(entry.endedAt - entry.startedAt)}</Line>
					) : null}
					<Line name={t("details.who")}>{entry.username}</Line>
				</Table.Tbody>
			</Table>
			{entry.note ? <CopyField label={t("details.note")} value={entry.note} /> : null}
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
								<Line key={name} name={name}>
									{value}
								</Line>
							))}
						</Table.Tbody>
					</Table>
				)}
			</Stack>
			<Text size="xs" c="dimmed">
				{t("details.record")} {entry.id}
			</Text>
		</Stack>
	);
}

function Line({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Table.Tr>
			<Table.Th w={150} scope="row">
				{name}
			</Table.Th>
			<Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
		</Table.Tr>
	);
}
