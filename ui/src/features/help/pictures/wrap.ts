/**
 * Breaks a text into lines that fit, of about the same length. A letter is taken to be as wide as most letters of a
 * small sans-serif are.
 */
export function wrap(text: string, width: number, letter = 6.4): string[] {
	const most = Math.max(6, Math.floor(width / letter));
	let lines = broken(text, most);
	// As narrow as it goes without another line: no word stands alone below the others.
	for (let narrower = most - 1; narrower > 5; narrower--) {
		const next = broken(text, narrower);
		if (next.length > lines.length) break;
		lines = next;
	}
	return lines;
}

function broken(text: string, most: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(/\s+/).filter(Boolean)) {
		if (line && line.length + 1 + word.length > most) {
			lines.push(line);
			line = word;
		} else line = line ? `${line} ${word}` : word;
	}
	return line ? [...lines, line] : lines;
}
