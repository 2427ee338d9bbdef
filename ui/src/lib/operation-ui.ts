import type { IconProps } from "@tabler/icons-react";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { type ComponentType, createContext, useContext } from "react";
import type {
	Backend,
	Concern,
	DroppedKind,
	GuidedTourStep,
	HistoryAction,
	HistoryEntry,
	HistoryKey,
	ImportReport,
	InjectedFault,
	OperationKey,
	RecordId,
	SessionView,
	SiteView,
	Target,
} from "@/bridge";
import type { Brought } from "./visits";

export const operationGroups = ["backup", "services", "collaboration"] as const;
type OperationGroup = (typeof operationGroups)[number];

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
	/** Actions in its name, each with what it makes stale. */
	actions?: Partial<Record<HistoryAction, Stale>>;
	/** What can be done about one of its entries in the history, or of its actions. Nothing where nothing can. */
	Recovery?: ComponentType<RecoveryProps>;
	/** Said before an import is undone, where one of these entries is undone with it. */
	undoneWithImport?: { entries: readonly HistoryKey[]; text: (t: TFunction<"run">) => string };
	/** Only the window that waits for the response gets the report: the site keeps no copy. */
	losesReport?: true;
	/** Steps of the guided tour that are done on its page. */
	tourSteps?: readonly GuidedTourStep[];
	/** Dropped files that lead to its page. */
	file?: DroppedKind;
	/** Simulated faults that only happen to operations that name them. */
	faults?: readonly InjectedFault[];
	/** Names of its parameters in the history, where that by which it was sent says too little. */
	parameterNames?: Readonly<Record<string, (t: TFunction<"history">) => string>>;
	/** Its parameters that hold the identifier of another entry of the history. */
	namesRecords?: readonly string[];
	/** Its entries can have the identifier of an upload that it stored. */
	storesUpload?: true;
	/** Matters of the overview that are settled on its page. */
	concerns?: readonly Concern["about"]["kind"][];
	/** What the palette finds of a server. Choosing it leads to the page. */
	finds?: Finds;
	/** Commands of the palette that lead to its page, beside the one with its name. */
	commands?: readonly { id: string; label: (t: TFunction<"common">) => string; icon: ComponentType<IconProps> }[];
}

interface Finds {
	group: "services" | "items";
	/** Reads those that fit the words; at most so many. */
	read: (asked: FindsOf) => Promise<readonly Find[]>;
}

interface FindsOf {
	backend: Backend;
	queries: QueryClient;
	target: Target;
	words: string;
	most: number;
}

/** Something that is found. */
export interface Find {
	label: string;
	path: string;
	/** What its page begins with. */
	brought: Brought;
}

export type OperationUis = Readonly<Record<OperationKey, OperationUi>>;

/** Brings the operations to the shared parts, which import none of them. */
export const OperationUisContext = createContext<OperationUis | null>(null);

export function useOperationUis(): OperationUis {
	const uis = useContext(OperationUisContext);
	if (!uis) throw new Error("useOperationUis needs Providers above it");
	return uis;
}

/** The operation whose description fulfills a condition that one of them does; a test asks which conditions. */
export function operationThat(uis: OperationUis, fulfills: (ui: OperationUi) => unknown): OperationKey {
	const found = Object.values(uis).find(fulfills);
	if (!found) throw new Error("no operation fulfills this condition");
	return found.key;
}

/** The operation that settles a matter of the overview. */
export function operationFor(uis: OperationUis, concern: Concern["about"]["kind"]): OperationKey {
	return operationThat(uis, ({ concerns }) => concerns?.includes(concern));
}

/** The operation that an entry is of; `null` of an action in the name of none. */
export function operationOfEntry(uis: OperationUis, key: HistoryKey): OperationUi | null {
	return Object.values(uis).find((ui) => ui.key === key || key in (ui.actions ?? {})) ?? null;
}

export interface RecoveryProps {
	entry: HistoryEntry;
	site: SiteView;
}

interface OperationViewProps {
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
