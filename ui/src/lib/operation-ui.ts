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
	InjectedFault,
	OperationKey,
	SessionView,
	SiteView,
	Target,
} from "@/bridge";
import type { Brought } from "./visits";

export const operationGroups = ["backup", "services", "collaboration"] as const;
type OperationGroup = (typeof operationGroups)[number];

/** Returns the queries that a run makes stale, in addition to those of every run. */
type Stale = (target: Target) => readonly QueryKey[];

/**
 * Describes an operation to the window; declared in `operations/<key>/index.ts`. Its name and description are
 * `common:operation.<key>`, its help page has the name of its key, and its shortcut follows from its position in the
 * specification.
 */
export interface OperationUi {
	key: OperationKey;
	icon: ComponentType<IconProps>;
	group: OperationGroup;
	/** Shown only if a user is signed in and the operation is available. */
	View: ComponentType<OperationViewProps>;
	/** The page lists data of the site, which can be read while the site is locked. */
	showsList?: true;
	stale: Stale;
	/** Actions that belong to the operation, each with the queries it makes stale. */
	actions?: Partial<Record<HistoryAction, Stale>>;
	/**
	 * Shown with an entry of the operation or its actions: what the user can do about it. Renders nothing if there is
	 * nothing to do.
	 */
	Recovery?: ComponentType<RecoveryProps>;
	/** Text of the undo confirmation, shown if one of these entries is undone together with the import. */
	undoneWithImport?: { entries: readonly HistoryKey[]; text: (t: TFunction<"run">) => string };
	/** The report exists only in the response; the site keeps no copy. */
	losesReport?: true;
	/** Steps of the guided tour that are completed on this page. */
	tourSteps?: readonly GuidedTourStep[];
	/** Kind of dropped files that open this page. */
	file?: DroppedKind;
	/** Simulated faults that affect only operations that list them. */
	faults?: readonly InjectedFault[];
	/** Labels of parameters in the history, where the name in the request is not clear. */
	parameterNames?: Readonly<Record<string, (t: TFunction<"history">) => string>>;
	/** Parameters that contain the ID of another history entry. */
	namesRecords?: readonly string[];
	/** Entries can contain the ID of a stored upload. */
	storesUpload?: true;
	/** Concerns of the overview that are resolved on this page. */
	concerns?: readonly Concern["about"]["kind"][];
	/** Search in the command palette. A result opens the page. */
	finds?: Finds;
	/** Further commands of the palette that open this page. */
	commands?: readonly { id: string; label: (t: TFunction<"common">) => string; icon: ComponentType<IconProps> }[];
}

interface Finds {
	group: "services" | "items";
	/** Returns at most `most` matches. */
	read: (asked: FindsOf) => Promise<readonly Find[]>;
}

interface FindsOf {
	backend: Backend;
	queries: QueryClient;
	target: Target;
	words: string;
	most: number;
}

export interface Find {
	label: string;
	path: string;
	brought: Brought;
}

export type OperationUis = Readonly<Record<OperationKey, OperationUi>>;

/** Provides the operations to shared components, which must not import them. */
export const OperationUisContext = createContext<OperationUis | null>(null);

export function useOperationUis(): OperationUis {
	const uis = useContext(OperationUisContext);
	if (!uis) throw new Error("useOperationUis needs Providers above it");
	return uis;
}

/**
 * Returns the only operation whose description fulfills a condition. A test checks that each condition in use has one.
 */
export function operationThat(uis: OperationUis, fulfills: (ui: OperationUi) => unknown): OperationKey {
	const found = Object.values(uis).find(fulfills);
	if (!found) throw new Error("no operation fulfills this condition");
	return found.key;
}

export function operationFor(uis: OperationUis, concern: Concern["about"]["kind"]): OperationKey {
	return operationThat(uis, ({ concerns }) => concerns?.includes(concern));
}

/** Returns the operation of an entry; `null` for an action that belongs to none. */
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
