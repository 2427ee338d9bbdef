import { useCallback, useRef, useState } from "react";
import type {
	BatchItemResult,
	DeactivationView,
	Parameter,
	Problem,
	ReactivationReport,
	ServiceView,
	SiteView,
} from "@/bridge";
import { draftKey, useDraft } from "@/lib/drafts";
import { parameterOf } from "@/lib/history-text";
import { serverOf, targetKey } from "@/lib/target";

/** Selection that outlives the page and a rejected request. */
interface ChoiceDraft {
	chosen: string[];
	reason: string;
}

export const choiceOf = draftKey<ChoiceDraft>();

export function useChoice(site: SiteView) {
	const draft = useDraft(choiceOf(targetKey(serverOf(site))));
	const [{ chosen, reason }, setChoice] = useState<ChoiceDraft>(draft.kept ?? { chosen: [], reason: "" });
	const now = useRef({ chosen, reason });
	// Services filled in from an earlier request; some might no longer be deactivatable.
	const [sent, setSent] = useState<string[]>([]);
	const { keep: keepDraft } = draft;
	const keep = useCallback(
		(part: Partial<ChoiceDraft>) => {
			now.current = { ...now.current, ...part };
			setChoice(now.current);
			keepDraft(now.current);
		},
		[keepDraft],
	);
	// Stable, because typing a reason would otherwise render the list of services again.
	const choose = useCallback((services: string[]) => keep({ chosen: services }), [keep]);
	const fill = (parameters: readonly Parameter[]) => {
		const services = parameters.filter(({ name }) => name === "service").map(({ value }) => value);
		keep({ chosen: services, reason: parameterOf(parameters, "why") });
		setSent(services);
	};
	return {
		paths: chosen,
		choose,
		why: reason,
		setWhy: (why: string) => keep({ reason: why }),
		sent,
		fill,
	};
}

export type Choice = ReturnType<typeof useChoice>;

/** Returns the names of active webhooks; `null` if the server does not report the state of each. */
export function activeNames({ webhooks }: ServiceView): string[] | null {
	if (webhooks === null || webhooks.some(({ active }) => active === null)) return null;
	return webhooks.filter(({ active }) => active).map(({ name }) => name);
}

/** Whether a request can name the service and it might have active webhooks. */
export function canBeDeactivated(service: ServiceView): boolean {
	return service.path !== "" && activeNames(service)?.length !== 0;
}

export interface Chosen {
	path: string;
	/** Names of active webhooks; `null` if the server does not report them. */
	active: readonly string[] | null;
}

/** Returns how many webhooks a deactivation affects; `null` if the server does not list them. */
export function countFalling(chosen: readonly Chosen[]): number | null {
	const counts = chosen.map(({ active }) => active?.length ?? null);
	return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Sorts by folder, the root first. Within a folder, the order of the server is kept. */
export function inOrder(services: readonly ServiceView[]): ServiceView[] {
	return services.toSorted((one, other) => one.folder.localeCompare(other.folder));
}

/** Whether the same request can succeed later. It cannot if the webhook is gone or cannot be edited. */
function canSucceedLater(problem: Problem): boolean {
	if (problem.kind === "rejected") return ![404, 405, 501].includes(problem.code ?? 0);
	return problem.kind !== "preconditionFailed";
}

/** Whether another reactivation can succeed for a part of an entry. */
export function canBeTriedAgain(part: BatchItemResult<ReactivationReport>): boolean {
	if (part.kind === "rejected") return canSucceedLater(part.problem);
	if (part.kind !== "done") return part.kind === "notSent";
	return part.report.webhooks.some(({ end }) =>
		end.kind === "rejected" ? canSucceedLater(end.problem) : end.kind === "notSent",
	);
}

/** Whether an entry stays open although no reactivation can succeed. */
export function mustBeResolvedByHand(part: BatchItemResult<ReactivationReport>): boolean {
	const stays =
		part.kind === "rejected" ||
		(part.kind === "done" && part.report.webhooks.some(({ end }) => end.kind === "rejected"));
	return stays && !canBeTriedAgain(part);
}

/** Returns the number of webhooks of several entries, and of those that were reactivated, as the history counts them. */
export function countsOf(
	asked: readonly DeactivationView[],
	parts: readonly BatchItemResult<ReactivationReport>[],
): { count: number; reactivated: number } {
	const counts = parts.map((part, at) =>
		part.kind === "done" ? part.report.counts : { inactive: asked[at]?.left?.length ?? 0, reactivated: 0 },
	);
	const sum = (of: "inactive" | "reactivated") => counts.reduce((all, one) => all + one[of], 0);
	return { count: sum("inactive"), reactivated: sum("reactivated") };
}
