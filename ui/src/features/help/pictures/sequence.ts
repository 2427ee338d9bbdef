/** Parsed diagram: the part of Mermaid's sequence diagrams that the help uses. */
export interface Sequence {
	places: string[];
	steps: SequenceStep[];
}

export type SequenceStep =
	| { kind: "arrow"; from: number; to: number; text: string; dashed: boolean }
	| { kind: "note"; from: number; to: number; text: string };

const participant = /^participant (\w+) as (.+)$/;
const arrow = /^(\w+)(--?)>>(\w+): (.+)$/;
const note = /^Note over (\w+)(?:,(\w+))?: (.+)$/;

/** Parses a diagram. Throws on any other line, which a test finds. */
export function readSequence(text: string): Sequence {
	const names: string[] = [];
	const sequence: Sequence = { places: [], steps: [] };
	const place = (name: string | undefined) => names.indexOf(name ?? "");
	for (const line of text.split("\n").map((one) => one.trim())) {
		const found = { participant: participant.exec(line), arrow: arrow.exec(line), note: note.exec(line) };
		if (found.participant) {
			names.push(found.participant[1] ?? "");
			sequence.places.push(found.participant[2] ?? "");
		} else if (found.arrow) {
			const [, from, dashes, to, said = ""] = found.arrow;
			sequence.steps.push({ kind: "arrow", from: place(from), to: place(to), text: said, dashed: dashes === "--" });
		} else if (found.note) {
			const [, from, to = from, said = ""] = found.note;
			sequence.steps.push({ kind: "note", from: place(from), to: place(to), text: said });
		} else if (line && line !== "sequenceDiagram") throw new Error(`not a line of a sequence: ${line}`);
	}
	return sequence;
}
