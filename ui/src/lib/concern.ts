import type { TFunction } from "i18next";
import type { DeactivationId, DeactivationView, OperationKey, Reminder, SessionView, SiteView } from "@/bridge";
import { formatNumber } from "./format";
import type { Place } from "./navigation";

/** What needs attention on a site. */
export interface Concern {
	key: string;
	/** The operation that the next step belongs to; `null` for the history. */
	operation: OperationKey | null;
	/** `null` for what is not counted. */
	count: number | null;
	words: string;
	/** Label of the button that leads to the next step. */
	act: string;
	to: Place;
}

/** What an operation knows of a concern; where it leads follows from the operation. */
export type OwnConcern = Omit<Concern, "operation" | "to">;

/** What the program knows of a site without asking it. */
export interface SiteFacts {
	site: SiteView;
	session: SessionView | null;
	deactivations: readonly DeactivationView[];
	activeAgain: ReadonlyMap<DeactivationId, readonly string[]>;
	/** Due reminders of the site. */
	due: readonly Reminder[];
	/** Number of refreshed invitations that are not saved. */
	unsaved: number;
	/** Whether no export of the current server was verified. */
	neverVerified: boolean;
}

export type ConcernText = TFunction<"sites">;

export const counted = (count: number) => ({ count, formatted: formatNumber(count) });

/** One that only counts; none if there is nothing to count. */
export function countedConcern(t: ConcernText, key: "unknown" | "expiring" | "unsaved", count: number): OwnConcern[] {
	if (count === 0) return [];
	return [{ key, count, words: t(`attention.${key}.words`, counted(count)), act: t(`attention.${key}.act`) }];
}
