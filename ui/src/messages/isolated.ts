/**
 * Invisible characters, some of which change the direction of text around them. Some scripts and emoji need one after
 * certain characters. `steward-client/src/invisible.rs` has the same list.
 */
const belonging = "\\u200c\\u200d\\ufe00-\\ufe0f";
const others = String.raw`(?![${belonging}\u2068\u2069])[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2800]`;
const invisible = new RegExp(String.raw`(?<![^\x00-\x7f])[${belonging}]|${others}`, "gu");

/** Right-to-left characters, and the delimiters of isolates. */
const turns =
	/[\u{590}-\u{8ff}\u{2068}\u{2069}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A line break ends every isolate, so each line has its own. */
const lineEnds = /(\r\n|[\n\v\f\r\u{85}\u{2028}\u{2029}])/u;

const begin = "\u2068";
const end = "\u2069";

/**
 * Returns text of a site without invisible characters, for use outside a sentence. Isolates created by {@link isolated}
 * stay.
 */
export function seen(text: string): string {
	return text.replace(invisible, "");
}

/**
 * Returns text of a site for use inside a sentence: without invisible characters, and isolated if it contains
 * right-to-left text, so that it does not affect the text around it. `steward-core/src/model/isolated.rs` does the same
 * for notifications and files.
 */
export function isolated(raw: string): string {
	const text = seen(raw);
	if (!turns.test(text)) return text;
	return text
		.split(lineEnds)
		.map((line, index) => (index % 2 === 1 || line === "" ? line : isolatedLine(line)))
		.join("");
}

/** Joins those texts of a site that are not empty. */
export function joined(texts: readonly (string | null)[], separator: string): string {
	return texts.flatMap((text) => (text ? isolated(text) : [])).join(separator);
}

/** Joins parts of a line. No line begins with a dot. */
export const dotted = (...parts: readonly (string | null)[]) => joined(parts, "\u00a0· ");

/** Isolates a line. Unmatched delimiters in it would end our isolate early or leave it open. */
function isolatedLine(line: string): string {
	let open = 0;
	let kept = "";
	for (const letter of line) {
		if (letter === end) {
			if (open === 0) continue;
			open -= 1;
		} else if (letter === begin) {
			open += 1;
		}
		kept += letter;
	}
	return begin + kept + end.repeat(open + 1);
}
