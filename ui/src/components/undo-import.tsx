import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Millis, type RecordId, type RunId, type SiteView, useBackend } from "@/bridge";
import { formatTime } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
import { useRunStore } from "@/lib/runs";
import { siteEdge } from "@/lib/site-color";
import { unavailableAdvice, unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import { useUndone } from "@/lib/use-undone";
import { NotRecorded } from "./not-recorded";
import { Outcome } from "./outcome";
import { ProblemNotice } from "./problem-notice";
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
		mutationFn: ({ run, typed }: { run: RunId; typed: string }) => backend.undoImport(site.id, run, record, typed),
		onMutate: close,
		onSuccess: ({ kind }) => {
			if (kind === "done") onUndone?.();
		},
		onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.history }),
	});
	const send = (typed: string) => {
		const run = crypto.randomUUID();
		// What is shown here needs no line in the dock. This is not called once the page has been left.
		undo.mutate({ run, typed }, { onSettled: () => runs.dismiss(run) });
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
			{asking && !readOnly ? <Confirm site={site} takenAt={takenAt} onClose={close} onConfirm={send} /> : null}
		</Stack>
	);
}

interface ConfirmProps {
	site: SiteView;
	takenAt: Millis | undefined;
	onClose: () => void;
	onConfirm: (typed: string) => void;
}

/** It is an import again: what it replaces does not come back. */
function Confirm({ site, takenAt, onClose, onConfirm }: ConfirmProps) {
	const { t } = useTranslation(["run", "common"]);
	const [typed, setTyped] = useState("");
	const toType = site.environment === "practice" ? "" : site.name;
	return (
		<Modal
			opened
			onClose={onClose}
			title={t("undoImport.ask", { site: site.name })}
			styles={siteEdge(site.color)}
			closeButtonProps={{ "aria-label": t("common:action.close") }}
		>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (typed.trim() === toType) onConfirm(typed);
				}}
			>
				<Stack>
					<Text size="sm">
						{takenAt === undefined
							? t("undoImport.what", { site: site.name })
							: t("undoImport.whatOf", { site: site.name, at: formatTime(takenAt) })}
					</Text>
					{toType ? (
						<TextInput
							label={t("undoImport.type", { text: toType })}
							spellCheck={false}
							autoComplete="off"
							data-autofocus
							value={typed}
							onChange={(event) => setTyped(event.currentTarget.value)}
						/>
					) : null}
					<Group justify="flex-end" gap="xs">
						<Button variant="default" onClick={onClose}>
							{t("common:action.cancel")}
						</Button>
						<Button type="submit" color="red" disabled={typed.trim() !== toType}>
							{t("undoImport.confirm")}
						</Button>
					</Group>
				</Stack>
			</form>
		</Modal>
	);
}
