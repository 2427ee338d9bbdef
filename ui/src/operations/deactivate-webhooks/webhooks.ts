import type { BatchItemResult, DeactivationView, Outcome, Problem, ReactivationReport, ServiceView } from "@/bridge";

type Ended = Exclude<Outcome, "sent" | "notSent">;

/** The names of what is active there; `null` where the server does not say it of each. */
export function activeNames({ webhooks }: ServiceView): string[] | null {
	if (webhooks === null || webhooks.some(({ active }) => active === null)) return null;
	return webhooks.filter(({ active }) => active).map(({ name }) => name);
}

/** Whether anything may be active there, of a service that a request can name. */
export function canBeDeactivated(service: ServiceView): boolean {
	return service.path !== "" && activeNames(service)?.length !== 0;
}

/** A service whose webhooks are to be deactivated. */
export interface Chosen {
	path: string;
	/** The names of what is active there; `null` where the server does not list it. */
	active: readonly string[] | null;
}

/** How many are deactivated with them; `null` where the server does not list them. */
export function countFalling(chosen: readonly Chosen[]): number | null {
	const counts = chosen.map(({ active }) => active?.length ?? null);
	return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** By folders in the order of their names, the root first; within one in the order of the server. */
export function inOrder(services: readonly ServiceView[]): ServiceView[] {
	return services.toSorted((one, other) => one.folder.localeCompare(other.folder));
}

/** Whether the same request can succeed later. What is gone, or cannot be told or edited, stays so. */
function canSucceedLater(problem: Problem): boolean {
	if (problem.kind === "rejected") return ![404, 405, 501].includes(problem.code ?? 0);
	return problem.kind !== "preconditionFailed";
}

/** Whether an entry has something left that another reactivation can bring back. */
export function canBeTriedAgain(part: BatchItemResult<ReactivationReport>): boolean {
	if (part.kind === "rejected") return canSucceedLater(part.problem);
	if (part.kind !== "done") return part.kind === "notSent";
	return part.report.webhooks.some(({ end }) =>
		end.kind === "rejected" ? canSucceedLater(end.problem) : end.kind === "notSent",
	);
}

/** Whether an entry stays open though no other reactivation can bring its webhooks back. */
export function isLeftToThePerson(part: BatchItemResult<ReactivationReport>): boolean {
	const stays =
		part.kind === "rejected" ||
		(part.kind === "done" && part.report.webhooks.some(({ end }) => end.kind === "rejected"));
	return stays && !canBeTriedAgain(part);
}

/** How several entries ended together: by the counts and outcomes of the program, which the history has as well. */
export function endOfSeveral(
	asked: readonly DeactivationView[],
	parts: readonly BatchItemResult<ReactivationReport>[],
): { count: number; reactivated: number; outcome: Ended } {
	const counts = parts.map((part, at) =>
		part.kind === "done" ? part.report.counts : { inactive: asked[at]?.left?.length ?? 0, reactivated: 0 },
	);
	const sum = (of: "inactive" | "reactivated") => counts.reduce((all, one) => all + one[of], 0);
	const outcomes = parts.map((part) => (part.kind === "done" ? part.report.outcome : part.kind));
	const all = (outcome: Outcome) => outcomes.every((one) => one === outcome);
	const some = (outcome: Outcome) => outcomes.some((one) => one === outcome);
	const reactivated = sum("reactivated");
	const ended = all("succeeded") ? "succeeded" : reactivated === 0 && !some("succeeded") ? "failed" : "warnings";
	return { count: sum("inactive"), reactivated, outcome: some("unknown") ? "unknown" : ended };
}
