import type { Problem, RecordId, SiteView } from "@/bridge";
import { useUndoImport } from "@/lib/use-undo-import";
import { useUndone } from "@/lib/use-undone";
import { ProblemNotice } from "./problem-notice";
import { UndoImport } from "./undo-import";

interface FailedImportProps {
	site: SiteView;
	problem: Problem;
	/** The import. */
	record: RecordId;
}

/** An import that failed, and the way to undo it. Once it is undone, the failure no longer describes the site. */
export function FailedImport({ site, problem, record }: FailedImportProps) {
	const { end } = useUndoImport(site, record);
	const undone = useUndone(site, record) !== null || end.kind === "done";
	return (
		<>
			{undone ? null : <ProblemNotice problem={problem} />}
			<UndoImport site={site} record={record} />
		</>
	);
}
