import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, RecordId, SiteView } from "@/bridge";
import { HideResult } from "@/components/hide-result";
import { NotRecorded } from "@/components/not-recorded";
import { Outcome } from "@/components/outcome";
import { ProblemNotice } from "@/components/problem-notice";
import { unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import { UndoDialog } from "./undo-dialog";
import { Undone } from "./undone";
import { UndoneSince } from "./undone-since";
import { useUndoImport } from "./use-undo-import";
import { useUndone } from "./use-undone";

interface UndoImportProps {
	site: SiteView;
	/** Name of the server that the import went to. */
	target: string;
	/** The import. Its record keeps the safety backup, also when no response was received. */
	record: RecordId;
	/** When that export was complete, where the page has it. */
	takenAt?: Millis;
	/** Whether the page says by itself that the import was undone. */
	saidAbove?: boolean;
}

/** Undoes an import with the export that was made before it, once the name of the site is typed. */
export function UndoImport({ site, target, record, takenAt, saidAbove = false }: UndoImportProps) {
	const { t } = useTranslation("run");
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	const { end, running, start, reset } = useUndoImport(site, record);
	const [isBegunHere, setIsBegunHere] = useState(false);
	const before = useUndone(site, record);
	// After the page was left, the history shows that it was undone, once it has the entry, and it can be undone again.
	const isDone = end.kind === "done" && (isBegunHere || before?.id !== end.record);
	const said = saidAbove && before !== null;
	const send = (typed: string, secure: boolean, reason: string) => {
		close();
		setIsBegunHere(true);
		start(typed, secure, reason);
	};
	return (
		<Stack gap="xs" align="flex-start">
			{isDone && !said ? <Undone target={target} report={end.report} record={end.record} /> : null}
			{before && !said && !isDone ? <UndoneSince undone={before} /> : null}
			{isDone ? null : (
				<Button
					leftSection={<IconArrowBackUp size={16} aria-hidden />}
					loading={running}
					disabled={readOnly}
					onClick={open}
				>
					{t(before ? "undoImport.again" : "undoImport.undo")}
				</Button>
			)}
			{readOnly && !isDone ? (
				<Text>
					{unavailableText(common, { kind: "readOnly" })} {unavailableAdvice(common, { kind: "readOnly" })}
				</Text>
			) : null}
			{end.kind === "unknown" ? <Outcome outcome="unknown" title={t("undoImport.unknown", { site: target })} /> : null}
			{end.kind === "notSent" ? <Outcome outcome="notSent" title={t("undoImport.notSent", { site: target })} /> : null}
			{(isDone || end.kind === "unknown") && end.record === null ? <NotRecorded /> : null}
			{end.kind === "problem" ? <ProblemNotice problem={end.problem} effect={end.effect} /> : null}
			{end.kind === "unknown" || end.kind === "notSent" || end.kind === "problem" ? (
				<HideResult onHide={reset} />
			) : null}
			{asking && !readOnly ? (
				<UndoDialog site={site} target={target} record={record} takenAt={takenAt} onClose={close} onConfirm={send} />
			) : null}
		</Stack>
	);
}
