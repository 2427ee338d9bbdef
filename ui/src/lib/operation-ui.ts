import type { IconProps } from "@tabler/icons-react";
import type { QueryKey } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { type ComponentType, createContext, useContext } from "react";
import type {
	DroppedKind,
	GuidedTourStep,
	HistoryAction,
	ImportReport,
	InjectedFault,
	OperationKey,
	RecordId,
	SessionView,
	SiteView,
	Target,
} from "@/bridge";

export const operationGroups = ["backup", "services", "data", "collaboration"] as const;
export type OperationGroup = (typeof operationGroups)[number];

/** Queries that a run makes stale, beside those of every run. */
type Stale = (target: Target) => readonly QueryKey[];

/**
 * What the window knows of an operation, declared in `operations/<key>/index.ts`. Its name and one-line description are
 * `common:operation.<key>`, its help page is named after its key, and its shortcut follows from its place in the
 * specification.
 */
export interface OperationUi {
	key: OperationKey;
	icon: ComponentType<IconProps>;
	group: OperationGroup;
	/** Shown only while a user is signed in and nothing makes the operation unavailable. */
	View: ComponentType<OperationViewProps>;
	/** Its page lists what the site has, which can be read while the site is locked. */
	showsList?: true;
	stale: Stale;
	/** Actions in its name that make something else stale than it does. */
	actions?: Partial<Record<HistoryAction, Stale>>;
	/** Only the window that waits for the response gets the report: the site keeps no copy. */
	losesReport?: true;
	/** Step of the guided tour that is done on its page. */
	tourStep?: GuidedTourStep;
	/** Dropped files that lead to its page. */
	file?: DroppedKind;
	/** Simulated faults that only happen to operations that name them. */
	faults?: readonly InjectedFault[];
	/** Names of its parameters in the history, where that by which it was sent says too little. */
	parameterNames?: Readonly<Record<string, (t: TFunction<"history">) => string>>;
	/** Its parameters that can hold the identifier of an upload, or of another entry of the history. */
	identifiers?: { readonly uploads: readonly string[]; readonly records: readonly string[] };
	/** Its entries can have the identifier of an upload that it stored. */
	storesUpload?: true;
	/** Commands of the palette that lead to its page, beside the one with its name. */
	commands?: readonly { id: string; label: (t: TFunction<"common">) => string; icon: ComponentType<IconProps> }[];
}

export type OperationUis = Readonly<Record<OperationKey, OperationUi>>;

/** Brings the operations to the shared parts, which import none of them. */
export const OperationUisContext = createContext<OperationUis | null>(null);

export function useOperationUis(): OperationUis {
	const uis = useContext(OperationUisContext);
	if (!uis) throw new Error("useOperationUis needs Providers above it");
	return uis;
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
