/** Fields select their own text. */
const field =
	"textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
/** What one copies as a whole. A grid is none of these: only some of its rows are in the page. */
const copied = "table, pre, code, blockquote, article, [role=alert], [role=status]";

/**
 * Select-all in a window that is a tool and no document: in a field the browser's own, in a table or a text that is meant
 * to be copied that one whole, elsewhere nothing.
 */
export function selectAll(event: KeyboardEvent): void {
	if (event.key.toLowerCase() !== "a" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
	const at = event.target instanceof Element ? event.target : null;
	if (at?.closest(field)) return;
	event.preventDefault();
	const selection = document.getSelection();
	// Where the user clicked last counts only while the focus has not gone elsewhere since.
	const clicked = selection?.anchorNode ?? null;
	const whole = copyable(at) ?? (at?.contains(clicked) ? copyable(clicked) : null);
	if (whole) selection?.selectAllChildren(whole);
}

/** The text that the user is in, by the focus or by the last click. */
function copyable(node: Node | null): Element | null {
	const element = node instanceof Element ? node : (node?.parentElement ?? null);
	return element?.closest(copied) ?? null;
}
