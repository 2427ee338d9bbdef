import { type Line, rank } from "./lines";

/** The lines of a report beside those of an earlier one: each is new or the same, and those that are gone stand with them. */
export function compared(now: readonly Line[], earlier: readonly Line[]): Line[] {
	const before = new Map<string, Line[]>();
	for (const line of earlier) {
		const equals = before.get(subject(line));
		if (equals) equals.push(line);
		else before.set(subject(line), [line]);
	}
	const lines = now.map((line): Line => {
		// A message that stands there twice is matched twice.
		const match = before.get(subject(line))?.pop();
		return { ...line, change: match ? "same" : "new" };
	});
	const gone = [...before.values()].flat().map((line): Line => ({ ...line, id: `gone ${line.id}`, change: "gone" }));
	return [...lines, ...gone].sort((one, other) => rank(one) - rank(other));
}

/** What makes two messages the same: a service by its name and state, everything else by its words. */
function subject({ source, message: { level, message, service } }: Line): string {
	return JSON.stringify(service ? [source, service.service, service.state] : [source, level, message]);
}
