import { ActionIcon, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowLeft, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type HistoryEntry, type Millis, operations, type Parameter, type RecordId } from "@/bridge";
import { Dialog, ReasonField } from "@/components/dialog";
import { Breakable, Heading, IconButton, LinkButton, Small } from "@/components/text";
import { fileName, formatDateTime, formatDuration, formatExactTime, formatList, formatNumber } from "@/lib/format";
import { isAct, parameterOf, useHistoryName } from "@/lib/history-text";
import { useOperationUis } from "@/lib/operation-ui";
import { useRecord, useUploadOrigin } from "@/lib/queries/history";
import { useCommand } from "@/lib/use-command";
import { least, useRoom } from "@/lib/use-fill-height";
import { useNarrow } from "@/lib/use-narrow";
import type { words } from "@/messages/en/later";
import { isolated } from "@/messages/isolated";
import classes from "./history-details.module.css";

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
		// A value that was removed is empty after the arrow.
		return before == null ? said(value) : [said(before), said(value)].map(isolated).join(" \u2192 ");
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
	const save = useCommand((backend) => backend.setReason([...records], typed.trim()), ["setReason", records], {
		onDone: close,
	});
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

interface DetailsFrameProps {
	label: string;
	operation: string;
	target: string;
	at: Millis;
	/** Whether the details take the focus: only if a link opened the entry. Otherwise, the list keeps it. */
	takesFocus: boolean;
	onClose: () => void;
	children: ReactNode;
}

/** Panel beside the list with the details of the open entry. */
export function DetailsFrame({ label, operation, target, at, takesFocus, onClose, children }: DetailsFrameProps) {
	const { t } = useTranslation("history");
	const narrow = useNarrow();
	const frame = useRef<HTMLDivElement>(null);
	const heading = useRef<HTMLHeadingElement>(null);
	const room = useRoom(frame);
	const leads = takesFocus || narrow;
	useEffect(() => {
		// In a narrow window, the list with the focus is hidden.
		if (leads) heading.current?.focus({ preventScroll: true });
	}, [leads]);
	return (
		<Paper
			withBorder
			ref={frame}
			component="section"
			aria-label={label}
			p="md"
			className={classes.details ?? ""}
			{...(room.height < least ? {} : { h: room.height })}
			// Focusable by a click, so that it can then be scrolled by keyboard even if it contains no control.
			tabIndex={-1}
		>
			<Stack gap="sm">
				{narrow ? <IconButton label={t("report.back")} icon={IconArrowLeft} onClick={onClose} w="fit-content" /> : null}
				<div>
					<Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
						<Heading ref={heading} tabIndex={-1} className={classes.title ?? ""}>
							{operation}{" "}
							<Text span inherit fw={400} c="dimmed">
								{target}
							</Text>
						</Heading>
						{narrow ? null : (
							<ActionIcon variant="subtle" color="gray" onClick={onClose} aria-label={t("details.close")}>
								<IconX size={16} aria-hidden />
							</ActionIcon>
						)}
					</Group>
					<Small>{formatDateTime(at)}</Small>
				</div>
				{children}
			</Stack>
		</Paper>
	);
}

interface OriginProps {
	entry: HistoryEntry;
	parameter: Parameter;
}

/** Explains an ID among the parameters of an import by the entry that created it. */
export function Origin({ entry, parameter: { name, value, isUpload = false } }: OriginProps) {
	const { t } = useTranslation("history");
	const nameOf = useHistoryName();
	const uis = useOperationUis();
	const records = isAct(entry.operation) ? [] : (uis[entry.operation].namesRecords ?? []);
	const storing = operations.map(({ key }) => key).filter((key) => uis[key].storesUpload);
	const brought = useUploadOrigin(isUpload ? value : null, entry, ["upload", ...storing]);
	const record = useRecord(records.includes(name) ? value : null).data?.entry;
	const origin = record ?? brought;
	if (!origin) return null;
	const at = formatDateTime(origin.startedAt);
	return (
		<Small>
			{origin.operation === "upload"
				? t("details.origin.upload", { file: fileName(parameterOf(origin.parameters, "file")), at })
				: t("details.origin.operation", { operation: nameOf(origin.operation), at })}
		</Small>
	);
}
