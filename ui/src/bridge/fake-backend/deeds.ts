import type { Commands } from "../backend";
import type {
	HistoryAction,
	HistoryEntry,
	InjectedFault,
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

/** What a run does to the world; who runs it is added by the caller, and the server that it goes to. */
export interface Deed<T> {
	operation: OperationKey;
	server?: ServerId | null;
	/** Its name in the history, where it is no operation. */
	act?: HistoryAction;
	/** The dialog that comes first was closed, so nothing is sent. */
	dismissed?: boolean;
	parameters: Parameter[];
	/** It only looks, or each of its parts leaves a record of its own. */
	unrecorded?: boolean;
	/** It has no effect: what is stopped was not sent. */
	isCheck?: boolean;
	/** It reads a file on this computer: it needs no session, hinders nothing, and its end is not listed. */
	isLocal?: boolean;
	/** Steps in order; the time a run takes is spread over them. */
	steps?: RunStep[];
	/** How it ends, whatever its work would be. */
	end?: EndWithoutResult | undefined;
	/** Changes the world and reports. */
	work: (entry: HistoryEntry, fault: InjectedFault | null) => T;
	judge: (report: T) => { outcome: Outcome; note: string };
}

/** End of a run that has no result. */
export type EndWithoutResult = Extract<RunResult<unknown>, { kind: "notSent" | "unknown" | "failed" }>;

/** The commands that are runs. */
export type Operation = {
	[Name in keyof Commands]: Awaited<ReturnType<Commands[Name]>> extends RunResult<unknown> ? Name : never;
}[keyof Commands];

type Report<Name extends Operation> = Extract<Awaited<ReturnType<Commands[Name]>>, { kind: "done" }>["report"];
type Form<Name extends Operation> =
	Parameters<Commands[Name]> extends [SiteId | Target, NewRun | RunId, ...infer Rest] ? Rest : never;

/** What each operation does to the world; a faulty form is refused before anything else. */
export type Deeds = { [Name in Operation]: (site: SiteView, ...form: Form<Name>) => Deed<Report<Name>> };

export const fine = (note: string) => ({ outcome: "succeeded" as Outcome, note });

export function parameters(values: Record<string, unknown>): Parameter[] {
	return Object.entries(values)
		.filter(([, value]) => value !== "" && value !== null)
		.map(([name, value]) => ({ name, value: String(value) }));
}
