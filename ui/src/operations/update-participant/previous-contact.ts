import type { HistoryEntry, Parameter } from "@/bridge";
import { parameterOf } from "@/lib/parameter-of";

interface ContactBefore {
	contact: string;
	parameters: Parameter[];
}

const identifiers = ["collaborationId", "participantId"] as const;
/** Parameters of the request, each with the name under which the entry stores the previous value. */
const parts = [
	["contactFirstname", "previousContactFirstname"],
	["contactLastname", "previousContactLastname"],
	["contactEmailAddress", "previousContactEmailAddress"],
] as const;

/**
 * Returns the contact that an update replaced; `null` if nothing changed or the previous contact had no email address.
 */
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
