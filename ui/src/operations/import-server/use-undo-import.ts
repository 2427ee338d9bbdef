import { useEffect, useRef } from "react";
import { type ImportReport, type RecordId, type SiteView, type UndoOptions, useBackend } from "@/bridge";
import type { OperationState, RunOfItsOwn } from "@/lib/run-store";
import { useRunStore } from "@/lib/runs";
import { useOperation } from "@/lib/use-operation";

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
