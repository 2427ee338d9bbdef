// The agreement between the shell and src/operations.
//
// src/operations/index.ts exports
//   export const operationUis: Record<Key, OperationUi>;
//   export function ImportReportViewer(props: ImportReportViewerProps): ReactNode;
// and nothing else is imported from there. Inside a View:
//   - the heading is <Page title description>; names and one-line descriptions of the seven are shared texts:
//     t("common:operation.<key>.name") and t("common:operation.<key>.what");
//   - the run is useOperation(key, site, call) from "@/lib/use-operation"; ProblemNotice, Outcome, CopyField,
//     EmptyState, LoadingRows come from "@/components/*"; times and sizes from "@/lib/format";
//   - the shell shows View only when someone is signed in and the operation has no obstacle.
import type { IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { ImportReport, OperationKey, RecordId, SessionView, SiteView, Target } from "@/bridge";

export const operationGroups = ["backup", "services", "data", "collaboration"] as const;
export type OperationGroup = (typeof operationGroups)[number];

export interface OperationUi {
	key: OperationKey;
	icon: ComponentType<IconProps>;
	group: OperationGroup;
	View: ComponentType<OperationViewProps>;
}

export interface OperationViewProps {
	site: SiteView;
	session: SessionView;
}

export interface ImportReportViewerProps {
	/** Server of the import, whose site might not be saved any more. */
	target: Target;
	report: ImportReport;
	/** The entry of the history the report belongs to; `null` when it could not be written. */
	record: RecordId | null;
}
