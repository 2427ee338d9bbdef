import { Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type ImportReport,
	type Millis,
	type RecordId,
	type ServerId,
	type SiteView,
	type UndoOptions,
	useBackend,
} from "@/bridge";
import { Undo, UndoDialog } from "@/components/undo";
import { formatTime } from "@/lib/format";
import type { OperationState, RunOfItsOwn } from "@/lib/run-store";
import { useRunStore } from "@/lib/runs";
import { useOperation } from "@/lib/use-operation";
import { AdminUrl, passesAdaptor } from "./admin-url";
import { Undone, UndoneSince, useUndone } from "./undone";

interface UndoImportProps {
	site: SiteView;
	/** Server of the import. Default: the current one. */
	server?: ServerId | null;
	/** Name of the server, with its site. */
	target: string;
	/** History entry of the import. It refers to the safety backup even if no response was received. */
	record: RecordId;
	/** Time of the safety backup, if the page has read it. */
	takenAt?: Millis;
	/** Whether the page itself shows that the import was undone. */
	saidAbove?: boolean;
}

/** Undoes an import with its safety backup, after a confirmation. */
export function UndoImport({
	site,
	server = site.currentServer,
	target,
	record,
	takenAt,
	saidAbove = false,
}: UndoImportProps) {
	const { t } = useTranslation("run", { keyPrefix: "undoImport" });
	const { end, running, start, reset } = useUndoImport(site, record);
	const [isBegunHere, setIsBegunHere] = useState(false);
	const [throughWebAdaptor, setThroughWebAdaptor] = useState(false);
	const passes = passesAdaptor(site, server);
	const before = useUndone(site, record);
	// After the user returns to the page, the history shows the undo, and a further undo is possible.
	const isDone = end.kind === "done" && (isBegunHere || before?.id !== end.record);
	const said = saidAbove && before !== null;
	return (
		<Stack gap="xs" align="flex-start">
			{isDone && !said ? (
				<Undone server={{ site: site.id, server }} target={target} report={end.report} record={end.record} />
			) : null}
			{before && !said && !isDone ? <UndoneSince undone={before} /> : null}
			<Undo
				site={site}
				end={end}
				isDone={isDone}
				running={running}
				isAgain={before !== null}
				unknown={t("unknown", { site: target })}
				notSent={t("notSent", { site: target })}
				onHide={reset}
				question={(close) => (
					<UndoDialog
						site={site}
						server={server}
						record={record}
						title={t("ask", { site: target })}
						what={
							takenAt === undefined
								? t("what", { site: target })
								: t("whatOf", { site: target, at: formatTime(takenAt) })
						}
						decision={
							passes ? (
								<AdminUrl
									site={site}
									server={server}
									throughAdaptor={throughWebAdaptor}
									onThroughAdaptor={setThroughWebAdaptor}
								/>
							) : null
						}
						isDecided={!passes || throughWebAdaptor}
						secure={t("secure")}
						secureHint={t("secureHint")}
						onClose={close}
						onConfirm={(typed, secure, reason) => {
							setIsBegunHere(true);
							start(typed, { secure, throughWebAdaptor }, reason);
						}}
					/>
				)}
			/>
		</Stack>
	);
}

interface UndoForm {
	record: RecordId;
	typed: string;
	options: UndoOptions;
}

const undoing: RunOfItsOwn = { operation: "import_server", act: null, name: "undo" };

/** Undo of an import. Its result outlives the page until another undo starts on the site. */
export function useUndoImport(site: SiteView, record: RecordId) {
	const backend = useBackend();
	const runs = useRunStore();
	const isHere = useRef(true);
	useEffect(() => {
		isHere.current = true;
		return () => {
			isHere.current = false;
		};
	}, []);
	const undo = useOperation(undoing, site, async (run, { record, typed, options }: UndoForm) => {
		try {
			return await backend.undoImport(site.id, run, record, typed, options);
		} finally {
			// Results on this page need no row in the operations panel.
			if (isHere.current) runs.dismiss(run.id);
		}
	});
	const { state, running, reset } = undo;
	const isOfThis = state.kind !== "idle" && state.form?.record === record;
	const end: OperationState<ImportReport, UndoForm> = isOfThis ? state : { kind: "idle" };
	return {
		end,
		running,
		reset,
		start: (typed: string, options: UndoOptions, reason: string) => undo.start({ record, typed, options }, reason),
	};
}
