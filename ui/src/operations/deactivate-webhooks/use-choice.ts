import { useCallback, useRef, useState } from "react";
import type { Parameter, SiteView } from "@/bridge";
import { draftKey, useDraft } from "@/lib/drafts";
import { parameterOf } from "@/lib/parameter-of";
import { serverOf, targetKey } from "@/lib/target";

/** Outlives the screen, and a rejection with it. */
interface ChoiceDraft {
	chosen: string[];
	reason: string;
}

export const choiceOf = draftKey<ChoiceDraft>();

/** The services to deactivate, and why. */
export function useChoice(site: SiteView) {
	const draft = useDraft(choiceOf(targetKey(serverOf(site))));
	const [{ chosen, reason }, setChoice] = useState<ChoiceDraft>(draft.kept ?? { chosen: [], reason: "" });
	const now = useRef({ chosen, reason });
	// What was sent before and is filled in again: not all of it can be deactivated now.
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
	// The same at each key of the reason: the list of services is not drawn again for it.
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
