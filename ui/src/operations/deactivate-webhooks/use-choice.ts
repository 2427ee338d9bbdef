import { useCallback, useRef, useState } from "react";
import type { Parameter, SiteView } from "@/bridge";
import { draftKey, useDraft } from "@/lib/drafts";
import { parameterOf } from "@/lib/parameter-of";
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
