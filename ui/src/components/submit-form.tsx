import type { ComponentProps, KeyboardEvent } from "react";

/** Inputs that text is typed into. A search sends nothing: it looks in what is there. */
const typed: ReadonlySet<string> = new Set(["text", "email", "password", "number", "tel", "url"]);

/**
 * A form that is submitted by its button, and by Enter in a text that it sends. A browser takes Enter in every input: on
 * a check box, on a list to choose from, in the search of a table that stands in the form. What is sent has the path of
 * its value in `data-path`, as `getInputProps` gives it.
 */
export function SubmitForm(props: ComponentProps<"form">) {
	return <form noValidate onKeyDown={ignoreEnter} {...props} />;
}

function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
	const { target } = event;
	// What is shown over the page, as a dialog, is part of this form for React alone.
	if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || target.form !== event.currentTarget) return;
	const isSent = target.dataset.path !== undefined && typed.has(target.type) && !target.readOnly;
	if (!isSent) event.preventDefault();
}
