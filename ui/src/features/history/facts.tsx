import { Group, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, Parameter, RecordId } from "@/bridge";
import { ReasonField } from "@/components/confirm-dialog";
import { Dialog } from "@/components/dialog";
import { Breakable, LinkButton } from "@/components/text";
import { formatDuration, formatExactTime, formatList, formatNumber } from "@/lib/format";
import { isAct } from "@/lib/history-text";
import { useOperationUis } from "@/lib/operation-ui";
import { useCommand } from "@/lib/use-command";
import type { words } from "@/messages/en/later";
import { joined } from "@/messages/isolated";
import { Origin } from "./origin";

type Texts = (typeof words)["history"]["details"];

/** Parameters whose value has a translation. */
const translated = [
	"signInMethod",
	"purpose",
	"validate",
	"restartWebServer",
	"siteEnvironment",
	"siteReadOnly",
	"siteConnection",
	"siteDeploymentType",
	"siteSource",
];

export function Facts({ entry }: { entry: HistoryEntry }) {
	const { t } = useTranslation("history");
	const nameOf = useParameterName(entry);
	const inWords = useInWords();
	// Empty parameters were not sent.
	const isReason = (name: string, value: string) => (name === "why" || name === "reason") && value === entry.reason;
	const parameters = entry.parameters.filter(
		({ name, value, before }) => (value !== "" || before) && !isReason(name, value),
	);
	return (
		<FactTable>
			<Line name={t("reason.name")}>
				<Reason records={[entry.id]} reason={entry.reason} />
			</Line>
			{parameters.map((parameter) => (
				<Line key={`${parameter.name} ${parameter.value}`} name={nameOf(parameter.name)}>
					{inWords(parameter)}
					<Origin entry={entry} parameter={parameter} />
				</Line>
			))}
			<Line name={t("details.started")}>{formatExactTime(entry.startedAt)}</Line>
			<Line name={t("details.ended")}>{entry.endedAt ? formatExactTime(entry.endedAt) : t("details.notEnded")}</Line>
			{entry.elapsed === null ? null : <Line name={t("details.took")}>{formatDuration(entry.elapsed)}</Line>}
			<Who entry={entry} />
			{entry.siteVersion ? <Line name={t("details.siteVersion")}>{entry.siteVersion}</Line> : null}
			{entry.programVersion ? <Line name={t("details.programVersion")}>{entry.programVersion}</Line> : null}
			<Line name={t("details.record")}>{entry.id}</Line>
		</FactTable>
	);
}

export function BatchFacts({ entries }: { entries: readonly HistoryEntry[] }) {
	const { t } = useTranslation("history");
	const [last] = entries;
	const first = entries.at(-1);
	if (!first || !last) return null;
	const reasons = [...new Set(entries.map(({ reason }) => reason))];
	const endedAt = last.endedAt ?? last.startedAt;
	return (
		<FactTable>
			<Line name={t("reason.name")}>
				<Reason records={entries.map(({ id }) => id)} reason={formatList(reasons.filter((one) => one !== ""))} />
			</Line>
			<Line name={t("batch.items")}>{formatNumber(entries.length)}</Line>
			<Line name={t("details.started")}>{formatExactTime(first.startedAt)}</Line>
			<Line name={t("details.ended")}>{formatExactTime(endedAt)}</Line>
			<Line name={t("details.took")}>{formatDuration(endedAt - first.startedAt)}</Line>
			<Who entry={first} />
		</FactTable>
	);
}

/** Returns a function that names a parameter: as its operation or the history does, otherwise as in the request. */
function useParameterName({ operation }: HistoryEntry): (name: string) => string {
	const { t, i18n } = useTranslation("history");
	const uis = useOperationUis();
	const names = isAct(operation) ? undefined : uis[operation].parameterNames;
	const isOwn = (name: string): name is keyof Texts["own"] => i18n.exists(`history:details.own.${name}`);
	return (name) => names?.[name]?.(t) ?? (isOwn(name) ? t(`details.own.${name}`) : name);
}

function useInWords(): (parameter: Parameter) => string {
	const { t, i18n } = useTranslation("history");
	const isSaid = (word: string): word is keyof Texts["said"] => i18n.exists(`history:details.said.${word}`);
	return ({ name, value, before }) => {
		const said = (word: string) => (translated.includes(name) && isSaid(word) ? t(`details.said.${word}`) : word);
		return before == null ? said(value) : joined([said(before), said(value)], " \u2192 ");
	};
}

function FactTable({ children }: { children: ReactNode }) {
	const { t } = useTranslation("history");
	return (
		<Stack gap={4}>
			<Title order={3} fz="sm" lh="sm">
				{t("details.facts")}
			</Title>
			<Table variant="vertical" layout="fixed" verticalSpacing={4} aria-label={t("details.facts")}>
				<Table.Tbody>{children}</Table.Tbody>
			</Table>
		</Stack>
	);
}

function Who({ entry: { username, computer, systemUser } }: { entry: HistoryEntry }) {
	const { t } = useTranslation("history");
	return (
		<>
			<Line name={t("details.who")}>{username || t("details.nobody")}</Line>
			{computer ? (
				<Line name={t("details.computer")}>{t("details.computerAs", { computer, user: systemUser })}</Line>
			) : null}
		</>
	);
}

function Line({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Table.Tr>
			<Table.Th w={120} scope="row">
				<Breakable>{name}</Breakable>
			</Table.Th>
			<Table.Td mod="anywhere">{children}</Table.Td>
		</Table.Tr>
	);
}

interface ReasonProps {
	/** The entry, or all entries of a batch. */
	records: readonly RecordId[];
	reason: string;
}

/** Reason or ticket of an entry, which can be added or changed later. */
export function Reason({ records, reason }: ReasonProps) {
	const { t } = useTranslation("history", { keyPrefix: "reason" });
	const [asking, { open, close }] = useDisclosure();
	const [typed, setTyped] = useState(reason);
	const save = useCommand(
		(backend) => backend.setReason([...records], typed.trim()),
		(stale) => stale("setReason", records),
		{ onDone: close },
	);
	const begin = () => {
		setTyped(reason);
		open();
	};
	return (
		<Group gap="xs">
			{reason ? (
				<Text span mod="anywhere">
					{reason}
				</Text>
			) : null}
			<LinkButton disabled={records.length === 0} onClick={begin}>
				{t(reason ? "edit" : "add")}
			</LinkButton>
			<Dialog
				opened={asking}
				onClose={close}
				title={t("title")}
				confirm={t("save")}
				command={save}
				onConfirm={() => save.mutate()}
			>
				<Text>{records.length > 1 ? t("whatOfBatch", { count: records.length }) : t("what")}</Text>
				<ReasonField data-autofocus value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
			</Dialog>
		</Group>
	);
}
