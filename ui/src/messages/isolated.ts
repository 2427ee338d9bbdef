/**
 * Invisible characters, some of which turn the direction of letters beside them. Some scripts and emoji need one behind a
 * letter of theirs. `steward-client/src/invisible.rs` has the same ones.
 */
const belonging = "\\u200c\\u200d\\ufe00-\\ufe0f";
const others = String.raw`(?![${belonging}\u2068\u2069])[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2800]`;
const invisible = new RegExp(String.raw`(?<![^\x00-\x7f])[${belonging}]|${others}`, "gu");

/** Letters of scripts that run from right to left, and the ends of an isolate. */
const turns =
	/[\u{590}-\u{8ff}\u{2068}\u{2069}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A line end closes every isolate, so each line is in one of its own. */
const lineEnds = /(\r\n|[\n\v\f\r\u{85}\u{2028}\u{2029}])/u;

const begin = "\u2068";
const end = "\u2069";

/** A text of a site, as it stands alone: without invisible characters. The isolates that {@link isolated} made stay. */
export function seen(text: string): string {
	return text.replace(invisible, "");
}

/**
 * A text of a site, as it stands in a sentence: without invisible characters, and in an isolate, so that it turns no word
 * around it. Text that runs from left to right needs none. `steward-core/src/model/isolated.rs` does the same for
 * notifications and files.
 */
export function isolated(raw: string): string {
	const text = seen(raw);
	if (!turns.test(text)) return text;
	return text
		.split(lineEnds)
		.map((line, index) => (index % 2 === 1 || line === "" ? line : isolatedLine(line)))
		.join("");
}

/** Several texts of a site in one line. */
export function joined(texts: readonly string[], separator: string): string {
	return texts.map(isolated).join(separator);
}

/** An isolate that the line ends without having begun it would end ours, and one that it leaves open would keep ours open. */
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
