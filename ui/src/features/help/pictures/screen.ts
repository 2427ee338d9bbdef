/** The shape of a screen, as a page draws it with signs; it reads as a drawing where nothing turns it into one. */
export type ScreenLine =
	| { kind: "title" | "text" | "field" | "check" | "empty"; text: string; on?: boolean }
	| { kind: "choice"; choices: { text: string; on: boolean }[] }
	| { kind: "buttons"; buttons: string[] }
	| { kind: "row"; cells: string[]; head: boolean };

/**
 * - `# Title`
 * - `Label [          ]`: a field
 * - `(•) one  ( ) another`: a choice
 * - `[x] a check box`
 * - `< Button >  < Another >`
 * - `| a | b |`: a row of a table, the first of them its head
 * - anything else: a text
 */
export function readScreen(text: string): ScreenLine[] {
	const lines: ScreenLine[] = [];
	for (const line of text.split("\n").map((one) => one.trim())) lines.push(read(line, lines.at(-1)));
	return lines.filter(({ kind }) => kind !== "empty");
}

function read(line: string, before: ScreenLine | undefined): ScreenLine {
	if (line.startsWith("# ")) return { kind: "title", text: line.slice(2) };
	if (line.startsWith("|")) {
		const cells = line.split("|").slice(1, -1);
		return { kind: "row", cells: cells.map((cell) => cell.trim()), head: before?.kind !== "row" };
	}
	if (/^\([ •]\) /.test(line)) {
		const choices = [...line.matchAll(/\(([ •])\) ([^(]+)/g)];
		return { kind: "choice", choices: choices.map(([, sign, text = ""]) => ({ text: text.trim(), on: sign === "•" })) };
	}
	if (/^\[[ x]\] /.test(line)) return { kind: "check", text: line.slice(4), on: line[1] === "x" };
	if (line.startsWith("<")) {
		return { kind: "buttons", buttons: [...line.matchAll(/<([^>]+)>/g)].map(([, text = ""]) => text.trim()) };
	}
	const field = /^(.*) \[ {3,}\]$/.exec(line);
	if (field) return { kind: "field", text: field[1] ?? "" };
	return { kind: line ? "text" : "empty", text: line };
}
