import { Checkbox, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewRun, RecordId, RunResult, ServerId, SiteView } from "@/bridge";
import { toTypeForImport } from "@/lib/confirmation";
import { useOperationUis } from "@/lib/operation-ui";
import { useChangesSince } from "@/lib/queries/history";
import { type OperationHandle, type OperationState, type RunOfItsOwn, useOperation, useRunStore } from "@/lib/runs";
import { unavailableAdvice, unavailableText, useReadOnly } from "@/lib/use-read-only";
import { HideResult } from "./after-run";
import { ChangesSince } from "./changes-since";
import { ConfirmDialog } from "./dialog";
import { NotRecorded } from "./done-at";
import { LoadingRows, ProblemNotice } from "./notice";
import { Outcome } from "./outcome";
import { IconButton } from "./text";

/**
 * Runs the undo of an import. `end` is its state: idle if another import is undone. It is kept after the page is left,
 * until another undo starts on the site.
 */
export function useUndoRun<T, F extends { record: RecordId }>(
	key: RunOfItsOwn,
	site: SiteView,
	record: RecordId,
	send: (run: NewRun, form: F) => Promise<RunResult<T>>,
) {
	const runs = useRunStore();
	const isHere = useRef(true);
	useEffect(() => {
		isHere.current = true;
		return () => {
			isHere.current = false;
		};
	}, []);
	const undo = useOperation<T, F>(key, site, async (run, form) => {
		try {
			return await send(run, form);
		} finally {
			// Results on this page need no row in the operations panel.
			if (isHere.current) runs.dismiss(run.id);
		}
	});
	const { state } = undo;
	const end: typeof state = state.kind !== "idle" && state.form?.record === record ? state : { kind: "idle" };
	return { ...undo, end };
}

interface UndoProps {
	site: SiteView;
	undo: Pick<OperationHandle<unknown, unknown>, "running" | "reset"> & { end: OperationState<unknown, unknown> };
	/** Whether the undo succeeded and its result is shown. */
	isDone: boolean;
	/** Whether the import was undone before. */
	isAgain: boolean;
	/** Titles of the outcomes, which differ between portal and server. */
	unknown: string;
	notSent: string;
	/** Returns the dialog; `close` closes it. */
	question: (close: () => void) => ReactNode;
}

/** Button that undoes an import, its dialog, and the outcome unless it succeeded. */
export function Undo({ site, undo, isDone, isAgain, unknown, notSent, question }: UndoProps) {
	const { t } = useTranslation("run");
	const { t: common } = useTranslation("common");
	const { end, running } = undo;
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	return (
		<>
			{isDone ? null : (
				<IconButton
					label={t(isAgain ? "undoImport.again" : "undoImport.undo")}
					icon={IconArrowBackUp}
					loading={running}
					disabled={readOnly}
					onClick={open}
				/>
			)}
			{readOnly && !isDone ? (
				<Text>
					{unavailableText(common, { kind: "readOnly" })} {unavailableAdvice(common, { kind: "readOnly" })}
				</Text>
			) : null}
			{end.kind === "unknown" ? <Outcome outcome="unknown" title={unknown} /> : null}
			{end.kind === "notSent" ? <Outcome outcome="notSent" title={notSent} /> : null}
			{((end.kind === "done" && isDone) || end.kind === "unknown") && end.record === null ? <NotRecorded /> : null}
			{end.kind === "failed" ? <ProblemNotice problem={end.problem} outcome={end.outcome} /> : null}
			{end.kind === "unknown" || end.kind === "notSent" || end.kind === "failed" ? (
				<HideResult onHide={undo.reset} />
			) : null}
			{asking && !readOnly ? question(close) : null}
		</>
	);
}

interface UndoDialogProps {
	site: SiteView;
	/** Server of the import; `null` for the portal. */
	server: ServerId | null;
	/** History entry of the import. */
	record: RecordId;
	title: string;
	/** Text about what the safety backup replaces. */
	what: string;
	/** Label of the check box for another safety backup. */
	secure: string;
	secureHint: string;
	/** Required decision; `null` for none. */
	decision?: ReactNode;
	isDecided?: boolean;
	/** Destination of the safety backup, shown if one is selected. */
	place?: ReactNode;
	/** Whether the destination is complete. */
	hasPlace?: boolean;
	onClose: () => void;
	onConfirm: (typed: string, isSecured: boolean, reason: string) => void;
}

/**
 * Confirmation of an undo. An undo is an import as well: it also reverts later changes. Another safety backup can keep
 * them.
 */
export function UndoDialog({
	site,
	server,
	record,
	title,
	what,
	secure,
	secureHint,
	decision = null,
	isDecided = true,
	place = null,
	hasPlace = true,
	onClose,
	onConfirm,
}: UndoDialogProps) {
	const { t } = useTranslation("run", { keyPrefix: "undoImport" });
	const [isSecured, setIsSecured] = useState(true);
	const toType = toTypeForImport(site, server);
	return (
		<ConfirmDialog
			opened
			onClose={onClose}
			title={title}
			site={site}
			confirm={t("confirm")}
			irreversible
			toType={toType}
			typeLabel={t("type", { text: toType })}
			ready={isDecided && (!isSecured || hasPlace)}
			onConfirm={(typed, reason) => onConfirm(typed, isSecured, reason)}
		>
			<Text>{what}</Text>
			{decision}
			<UndoneToo record={record} />
			<Checkbox
				label={secure}
				description={secureHint}
				checked={isSecured}
				onChange={(event) => setIsSecured(event.currentTarget.checked)}
			/>
			{isSecured ? place : null}
		</ConfirmDialog>
	);
}

/** Recorded changes since an import, which an undo reverts as well. */
function UndoneToo({ record }: { record: RecordId }) {
	const { t } = useTranslation("run");
	const uis = useOperationUis();
	const since = useChangesSince(record);
	if (since.isPending) return <LoadingRows rows={2} height={20} />;
	if (since.error) return <ProblemNotice problem={since.error} />;
	const { changes, count } = since.data;
	return (
		<Stack gap={4}>
			{count === 0 ? (
				<Text fw={600}>{t("undoImport.sinceNone")}</Text>
			) : (
				<ChangesSince changes={since.data} title={t("undoImport.since", { count })} />
			)}
			{Object.values(uis).map(({ key, undoneWithImport }) =>
				undoneWithImport && changes.some(({ operation }) => undoneWithImport.entries.includes(operation)) ? (
					<Text key={key}>{undoneWithImport.text(t)}</Text>
				) : null,
			)}
			<Text>{t("undoImport.sinceOthers")}</Text>
		</Stack>
	);
}
