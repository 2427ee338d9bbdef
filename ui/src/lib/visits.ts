import type { Millis, OperationKey, Parameter, PlanId, Problem, RecordId, ServerId, SiteId, Target } from "@/bridge";
import type { HelpTopic } from "@/lib/help";

export type Place =
	| { page: "sites" }
	| { page: "add-site" }
	/** `copy`: creates a new site based on this one. */
	| { page: "edit-site"; site: SiteId; copy?: true }
	/** `services`: server whose services are shown, including those that do not run. */
	| { page: "overview"; site: SiteId; services?: ServerId }
	/** Differences between two snapshots of a site. `import`: entry of an import, whose changes are shown. */
	| { page: "changes"; site: SiteId; import?: RecordId }
	/** Operation on a portal or server, which need not be the current server. `ofSet`: backup set that led to an import. */
	| ({ page: "operation"; key: OperationKey; ofSet?: SetOfPlan } & Target)
	/** `plan`: plan whose sets are shown. */
	| { page: "plans"; site: SiteId; plan?: PlanId }
	/** `plan`: plan to edit; omitted for a new one. */
	| { page: "edit-plan"; site: SiteId; plan?: PlanId }
	/** `restore`: shows the steps of a restore instead of the set, so that Back from an import form leads to them. */
	| { page: "backup-set"; site: SiteId; plan: PlanId; set: string; restore?: true }
	/** Rehearsal of a set of another site on a test site. */
	| { page: "rehearsal"; site: SiteId; plan: PlanId; set: string }
	/** Receipt of a rehearsal on a test site. */
	| { page: "receipt"; site: SiteId; record: RecordId }
	/** Simulated faults and reset of a practice site. */
	| { page: "practice"; site: SiteId }
	/**
	 * `record`: entry to open; `check`: checks its outcome at once; `report`: shows its report as a page of its own, so
	 * that Back from the data store items leads to it and not to the list.
	 */
	| { page: "history"; record?: RecordId; check?: true; report?: true }
	| { page: "settings" }
	/** `problem`: section of the page about problems. */
	| { page: "help"; topic: HelpTopic; problem?: Problem["kind"] };

/** Backup set, by its plan and its folder name. */
export interface SetOfPlan {
	plan: PlanId;
	set: string;
}

/** Values that are passed to the form of an operation. */
export interface Brought {
	/** Values by their names in the request. */
	parameters: readonly Parameter[];
	/** Time at which they were sent; `null` if they were not. */
	sentAt: Millis | null;
	/** Words that filter a list, empty for the whole list. A search starts at once. */
	narrow?: string;
}

interface Visit {
	readonly place: Place;
	readonly brought: Brought | null;
	/** Whether the form was filled in with `brought`. This happens once, so that later input stays. */
	readonly isTaken: boolean;
}

/** Visited places, oldest first, and the index of the current one. */
export interface Visits {
	readonly all: readonly Visit[];
	readonly at: number;
}

const visitOf = (place: Place, brought: Brought | null = null): Visit => ({
	// A new object for each visit, also of the same place.
	place: { ...place },
	brought: brought && { ...brought },
	isTaken: false,
});

export const firstVisit = (place: Place): Visits => ({ all: [visitOf(place)], at: 0 });

export const visitNow = ({ all, at }: Visits): Visit => all[at] as Visit;

/** Adds a visit. Choosing the current place again restarts it and adds no step for Back. */
export function goTo(visits: Visits, place: Place, brought: Brought | null): Visits {
	const next = visitOf(place, brought);
	if (isSame(visitNow(visits), next)) return withNow(visits, next);
	return { all: [...visits.all.slice(0, visits.at + 1), next], at: visits.at + 1 };
}

export const canMove = ({ all, at }: Visits, by: -1 | 1): boolean => all[at + by] !== undefined;

export const move = (visits: Visits, by: -1 | 1): Visits =>
	canMove(visits, by) ? { ...visits, at: visits.at + by } : visits;

export const take = (visits: Visits): Visits => withNow(visits, { ...visitNow(visits), isTaken: true });

/** Removes all visits to a deleted site. If the current place is one of them, the list of sites is shown. */
export function withoutSite(visits: Visits, site: SiteId): Visits {
	const stays = ({ place }: Visit) => !("site" in place && place.site === site);
	const here = visitNow(visits);
	const now = stays(here) ? here : visitOf({ page: "sites" });
	// Two equal visits that became neighbors are merged.
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
