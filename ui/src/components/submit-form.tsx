import type { ComponentProps, KeyboardEvent } from "react";

/** Types of inputs with typed text, without `search`, which only filters. */
const textTypes: ReadonlySet<string> = new Set(["text", "email", "password", "number", "tel", "url"]);

/**
 * Form that is submitted by its button, and by Enter in a text field that is part of the request.
 *
 * Browsers submit on Enter in every input: a check box, a select, the search of a table inside the form. Fields of the
 * request have the path of their value in `data-path`, which `getInputProps` sets.
 */
export function SubmitForm(props: ComponentProps<"form">) {
	return <form noValidate onKeyDown={ignoreEnter} {...props} />;
}

function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
	const { target } = event;
	// In React's tree, dialogs above the page belong to the form.
	if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || target.form !== event.currentTarget) return;
	const isSent = target.dataset.path !== undefined && textTypes.has(target.type) && !target.readOnly;
	if (!isSent) event.preventDefault();
}
