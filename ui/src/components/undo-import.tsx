import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Millis, type RecordId, type RunId, type SiteView, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";
import { useRunStore } from "@/lib/runs";
import { unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import { useUndone } from "@/lib/use-undone";
import { NotRecorded } from "./not-recorded";
import { Outcome } from "./outcome";
import { ProblemNotice } from "./problem-notice";
import { UndoDialog } from "./undo-dialog";
import { Undone } from "./undone";
import { UndoneSince } from "./undone-since";

interface UndoImportProps {
	site: SiteView;
	/** The import. Its record keeps the way back, also when the answer was lost. */
	record: RecordId;
	/** When that export was complete, where the page has it. */
	takenAt?: Millis;
	/** Whether the page says by itself that the import was undone. */
	saidAbove?: boolean;
	/** Told once the undo is done. */
	onUndone?: () => void;
}

/** Undoes an import with the export that was made before it, once the name of the site is typed. */
export function UndoImport({ site, record, takenAt, saidAbove = false, onUndone }: UndoImportProps) {
	const { t } = useTranslation("run");
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const backend = useBackend();
	const queries = useQueryClient();
	const runs = useRunStore();
	const [asking, { open, close }] = useDisclosure(false);
	const undo = useMutation({
		mutationFn: ({ run, typed, secure }: { run: RunId; typed: string; secure: boolean }) =>
			backend.undoImport(site.id, run, record, typed, secure),
		onMutate: close,
		onSuccess: ({ kind }) => {
			if (kind === "done") onUndone?.();
		},
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.history }),
	});
	const send = (typed: string, secure: boolean) => {
		const run = crypto.randomUUID();
		// What is shown here needs no line in the dock. This is not called once the page has been left.
		undo.mutate({ run, typed, secure }, { onSettled: () => runs.dismiss(run) });
	};
	const end = undo.data?.kind;
	const before = useUndone(site, record);
	const said = saidAbove && before !== null;
	return (
		<Stack gap="xs" align="flex-start">
			{undo.data?.kind === "done" && !said ? (
				<Undone site={site} report={undo.data.report} record={undo.data.record} />
			) : null}
			{before && !said && end !== "done" ? <UndoneSince site={site} undone={before} /> : null}
			{end === "done" ? null : (
				<Button
					variant="default"
					leftSection={<IconArrowBackUp size={16} aria-hidden />}
					loading={undo.isPending}
					disabled={readOnly}
					onClick={open}
				>
					{t(before ? "undoImport.again" : "undoImport.undo")}
				</Button>
			)}
			{readOnly && end !== "done" ? (
				<Text size="sm">
					{unavailableText(common, { kind: "readOnly" })} {unavailableAdvice(common, { kind: "readOnly" })}
				</Text>
			) : null}
			{end === "unknown" ? <Outcome outcome="unknown" title={t("undoImport.unknown", { site: site.name })} /> : null}
			{end === "notSent" ? <Outcome outcome="notSent" title={t("undoImport.notSent", { site: site.name })} /> : null}
			{(undo.data?.kind === "done" || undo.data?.kind === "unknown") && undo.data.record === null ? (
				<NotRecorded />
			) : null}
			{undo.error ? <ProblemNotice problem={undo.error} /> : null}
			{asking && !readOnly ? (
				<UndoDialog site={site} record={record} takenAt={takenAt} onClose={close} onConfirm={send} />
			) : null}
		</Stack>
	);
}
