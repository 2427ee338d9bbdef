import type { HistoryEntry, Parameter } from "@/bridge";

interface ContactBefore {
	/** The contact as the history has it. */
	contact: string;
	/** What the form of the operation is filled in with. */
	parameters: Parameter[];
}

const identifiers = ["collaborationId", "participantId"];

/**
 * The contact that an update replaced; `null` where nothing changed, or there was none before. The history has it in one
 * text: the name ends before the address, and its first word is taken for the first name. The person sees both in the
 * form before anything is sent.
 */
export function contactBefore({ summary, parameters }: HistoryEntry): ContactBefore | null {
	if (summary?.kind !== "contact" || !summary.changed || !summary.before) return null;
	const [, name = "", address = ""] = /^(?:(.*), )?([^\s,]+@[^\s,]+)$/.exec(summary.before) ?? [];
	if (address === "") return null;
	const [first = "", ...rest] = name.split(" ");
	return {
		contact: summary.before,
		parameters: [
			...parameters.filter((one) => identifiers.includes(one.name)),
			{ name: "contactFirstname", value: first },
			{ name: "contactLastname", value: rest.join(" ") },
			{ name: "contactEmailAddress", value: address },
		],
	};
}
