import { useState } from "react";
import type { Problem, RecordId, SiteView } from "@/bridge";
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
	const [undoneHere, setUndoneHere] = useState(false);
	const undone = useUndone(site, record) !== null || undoneHere;
	return (
		<>
			{undone ? null : <ProblemNotice problem={problem} />}
			<UndoImport site={site} record={record} onUndone={() => setUndoneHere(true)} />
		</>
	);
}
