/** What a page draws with the few lines of Mermaid's sequence diagrams that help needs. */
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

/** Reads a diagram; a line that is none of these is an author's mistake, and a test says so. */
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
