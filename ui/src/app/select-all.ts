/** In fields, the browser selects all text of the field. */
const field =
	"textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])";
/** Elements that are copied as a whole. Grids are excluded, because only some of their rows are in the document. */
const copied = "table, pre, code, blockquote, article, [role=alert], [role=status]";

/**
 * Handles "select all": selects the text of a field, or the table or text around the focus. Elsewhere, nothing is
 * selected, because selecting the whole window is useless.
 */
export function selectAll(event: KeyboardEvent): void {
	if (event.key.toLowerCase() !== "a" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
	const at = event.target instanceof Element ? event.target : null;
	if (at?.closest(field)) return;
	event.preventDefault();
	const selection = document.getSelection();
	// The last click counts only if the focus has not moved since.
	const clicked = selection?.anchorNode ?? null;
	const whole = copyable(at) ?? (at?.contains(clicked) ? copyable(clicked) : null);
	if (whole) selection?.selectAllChildren(whole);
}

/** Returns the copyable element around a node. */
function copyable(node: Node | null): Element | null {
	const element = node instanceof Element ? node : (node?.parentElement ?? null);
	return element?.closest(copied) ?? null;
}
