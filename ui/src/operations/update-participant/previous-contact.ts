import type { HistoryEntry, Parameter } from "@/bridge";
import { parameterOf } from "@/lib/parameter-of";

interface ContactBefore {
	/** The contact as the history shows it. */
	contact: string;
	/** What the form of the operation is filled in with. */
	parameters: Parameter[];
}

const identifiers = ["collaborationId", "participantId"] as const;
/** What is sent, and by which name the record has it from before. */
const parts = [
	["contactFirstname", "previousContactFirstname"],
	["contactLastname", "previousContactLastname"],
	["contactEmailAddress", "previousContactEmailAddress"],
] as const;

/** The contact that an update replaced; `null` where nothing changed, or there was none with an address before. */
export function contactBefore({ summary, parameters }: HistoryEntry): ContactBefore | null {
	if (summary?.kind !== "contact" || !summary.changed || !summary.before) return null;
	if (parameterOf(parameters, "previousContactEmailAddress") === "") return null;
	return {
		contact: summary.before,
		parameters: [
			...identifiers.map((name) => ({ name, value: parameterOf(parameters, name) })),
			...parts.map(([name, before]) => ({ name, value: parameterOf(parameters, before) })),
		],
	};
}
