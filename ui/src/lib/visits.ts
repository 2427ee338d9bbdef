import type { Millis, OperationKey, Parameter, PlanId, RecordId, ServerId, SiteId, Target } from "@/bridge";
import type { HelpTopic } from "./help";

export type Place =
	| { page: "sites" }
	| { page: "add-site" }
	/** `copy`: a new site that begins as this one. */
	| { page: "edit-site"; site: SiteId; copy?: true }
	/** `services`: the server whose services are shown, with those that do not run. */
	| { page: "overview"; site: SiteId; services?: ServerId }
	/** An operation on a portal or server, also where another server is the current one. */
	| ({ page: "operation"; key: OperationKey } & Target)
	/** `plan`: the one whose sets are shown. */
	| { page: "plans"; site: SiteId; plan?: PlanId }
	/** `plan`: the one that is edited; none for a new one. */
	| { page: "edit-plan"; site: SiteId; plan?: PlanId }
	/** `restore`: shows the steps of a restore from it instead, so that Back from the form of an import leads to them. */
	| { page: "backup-set"; site: SiteId; plan: PlanId; set: string; restore?: true }
	/** The simulated faults of a practice site, and its reset. */
	| { page: "practice"; site: SiteId }
	/**
	 * `record`: the one to show at once; `check`: looks at once at what became of it; `report`: shows its report instead,
	 * which is a page of its own, so that Back from the data store items leads to it and not to the list.
	 */
	| { page: "history"; record?: RecordId; check?: true; report?: true }
	| { page: "settings" }
	| { page: "help"; topic: HelpTopic };

/** What a person brings along to the form of an operation. */
export interface Brought {
	/** By their names in the request. */
	parameters: readonly Parameter[];
	/** When they were sent; `null` for what was never sent. */
	sentAt: Millis | null;
	/** Shows of a list only what has these words, empty for all of it; a search begins at once. */
	narrow?: string;
}

interface Visit {
	readonly place: Place;
	readonly brought: Brought | null;
	/** Whether the form has what was brought. It is filled in once, and what is typed afterwards stays. */
	readonly isTaken: boolean;
}

/** The places that were visited, oldest first, and which of them is on screen. */
export interface Visits {
	readonly all: readonly Visit[];
	readonly at: number;
}

const visitOf = (place: Place, brought: Brought | null = null): Visit => ({
	// Each is another place, also when the same one is chosen once more.
	place: { ...place },
	brought: brought && { ...brought },
	isTaken: false,
});

export const firstVisit = (place: Place): Visits => ({ all: [visitOf(place)], at: 0 });

export const visitNow = ({ all, at }: Visits): Visit => all[at] as Visit;

/** A place that is chosen once more begins anew, and Back does not lead to it. */
export function goTo(visits: Visits, place: Place, brought: Brought | null): Visits {
	const next = visitOf(place, brought);
	if (isSame(visitNow(visits), next)) return withNow(visits, next);
	return { all: [...visits.all.slice(0, visits.at + 1), next], at: visits.at + 1 };
}

export const canMove = ({ all, at }: Visits, by: -1 | 1): boolean => all[at + by] !== undefined;

export const move = (visits: Visits, by: -1 | 1): Visits =>
	canMove(visits, by) ? { ...visits, at: visits.at + by } : visits;

export const take = (visits: Visits): Visits => withNow(visits, { ...visitNow(visits), isTaken: true });

/** Forgets every visit to a site that was removed. Whoever is there is led to all sites. */
export function withoutSite(visits: Visits, site: SiteId): Visits {
	const stays = ({ place }: Visit) => !("site" in place && place.site === site);
	const here = visitNow(visits);
	const now = stays(here) ? here : visitOf({ page: "sites" });
	// Of two alike that were not side by side before, one is enough.
	const before = [...visits.all.slice(0, visits.at).filter(stays), now].filter(
		(visit, index, all) => !isSame(visit, all[index + 1]),
	);
	const after = [now, ...visits.all.slice(visits.at + 1).filter(stays)].filter(
		(visit, index, all) => !isSame(visit, all[index - 1]),
	);
	return { all: [...before, ...after.slice(1)], at: before.length - 1 };
}

function withNow({ all, at }: Visits, visit: Visit): Visits {
	return { all: all.with(at, visit), at };
}

function isSame(one: Visit, other: Visit | undefined): boolean {
	return JSON.stringify(one.place) === JSON.stringify(other?.place);
}
