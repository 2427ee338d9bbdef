import type { Commands } from "../backend";
import type {
	HistoryAction,
	HistoryEntry,
	NewRun,
	OperationKey,
	Outcome,
	Parameter,
	RunId,
	RunResult,
	RunStep,
	ServerId,
	SiteId,
	SiteView,
	Target,
} from "../bindings";

/** Effect of a run. The caller adds the account and the server. */
export interface Deed<T> {
	operation: OperationKey;
	server?: ServerId | null;
	/** Name in the history, if it is not the operation. */
	act?: HistoryAction;
	/** The user closed the dialog that comes first, so nothing is sent. */
	dismissed?: boolean;
	parameters: Parameter[];
	/** Has no history entry: it changes nothing, or each part has an entry. */
	unrecorded?: boolean;
	/** Has no effect. If it is stopped, nothing was sent. */
	isCheck?: boolean;
	/**
	 * Reads a file on this computer: requires no session, and is not listed after its end.
	 */
	isLocal?: boolean;
	/** Steps in order. The duration of the run is divided among them. */
	steps?: RunStep[];
	/** End of the run, regardless of `work`. */
	end?: EndWithoutResult | undefined;
	/** Applies the change and returns the report. */
	work: (entry: HistoryEntry) => T;
	judge: (report: T) => { outcome: Outcome; note: string };
}

export type EndWithoutResult = Extract<RunResult<unknown>, { kind: "notSent" | "unknown" | "failed" }>;

/** Commands that are runs. */
export type Operation = {
	[Name in keyof Commands]: Awaited<ReturnType<Commands[Name]>> extends RunResult<unknown> ? Name : never;
}[keyof Commands];

type Report<Name extends Operation> = Extract<Awaited<ReturnType<Commands[Name]>>, { kind: "done" }>["report"];
type Form<Name extends Operation> =
	Parameters<Commands[Name]> extends [SiteId | Target, NewRun | RunId, ...infer Rest] ? Rest : never;

/** Effect of each operation. A function throws if its form has a fault. */
export type Deeds = { [Name in Operation]: (site: SiteView, ...form: Form<Name>) => Deed<Report<Name>> };

export const fine = (note: string) => ({ outcome: "succeeded" as Outcome, note });

export function parameters(values: Record<string, unknown>): Parameter[] {
	return Object.entries(values)
		.filter(([, value]) => value !== "" && value !== null)
		.map(([name, value]) => ({ name, value: String(value) }));
}
