import { useState } from "react";
import type { Parameter, SiteView } from "@/bridge";
import { useDraft } from "@/lib/drafts";
import { parameterOf } from "@/lib/last-parameters";

/** Outlives the screen. */
export const choiceOf = (site: SiteView) => `${site.id} deactivate_webhooks`;

/** The services that are to fall silent, and why. */
export function useChoice(site: SiteView) {
	const draft = useDraft<string[]>(choiceOf(site));
	const [paths, setPaths] = useState<string[]>(draft.kept ?? []);
	const [why, setWhy] = useState("");
	// What was sent before and is filled in again: not all of it can be silenced now.
	const [sent, setSent] = useState<string[]>([]);
	const choose = (services: string[]) => {
		setPaths(services);
		draft.keep(services);
	};
	const fill = (parameters: readonly Parameter[]) => {
		const services = parameters.filter(({ name }) => name === "service").map(({ value }) => value);
		choose(services);
		setSent(services);
		setWhy(parameterOf(parameters, "why"));
	};
	return { paths, choose, why, setWhy, sent, fill };
}

export type Choice = ReturnType<typeof useChoice>;
