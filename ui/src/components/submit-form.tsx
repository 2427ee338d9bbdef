import { Button, type ButtonProps, Text } from "@mantine/core";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { unavailableText, useReadOnly } from "@/lib/use-read-only";
import classes from "./named-button.module.css";
import { LinkButton } from "./text";

/** ID of the reason field of a locked site, which is on a page at most once. */
export const unlockField = "unlock-reason";

/** Input types that take typed text. `search` is not one of them, because it only filters. */
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

interface SubmitButtonProps extends ButtonProps {
	/** Only outside of a form; within one, the button submits it. */
	onClick?: () => void;
	children: ReactNode;
}

/** Main button of a page, with its shortcut. */
export function SubmitButton({ onClick, ...props }: SubmitButtonProps) {
	const key = usePageKey("submit");
	return (
		<Button
			variant="filled"
			size="sm"
			classNames={namedButton}
			{...(onClick ? { onClick } : { type: "submit" })}
			{...key}
			{...props}
		/>
	);
}

const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };

interface ChangeButtonProps extends ComponentProps<typeof Button<"button">> {
	site: SiteView;
}

/**
 * Submit button of a page that changes the site, with its shortcut. While the site is locked, the button is disabled
 * and a text explains where to unlock it.
 */
export function ChangeButton({ site, disabled = false, ...button }: ChangeButtonProps) {
	const { t } = useTranslation(["sites", "common"]);
	const { t: common } = useTranslation("common");
	const readOnly = useReadOnly(site);
	const why = useId();
	const key = usePageKey("submit");
	return (
		<>
			<Button
				variant="filled"
				size="sm"
				classNames={namedButton}
				{...key}
				{...button}
				disabled={disabled || readOnly}
				{...(readOnly ? { "aria-describedby": why } : {})}
			/>
			{readOnly ? (
				<Text>
					<span id={why}>{unavailableText(common, { kind: "readOnly" })}</span>{" "}
					<LinkButton onClick={() => document.getElementById(unlockField)?.focus()}>
						{t("readOnly.toUnlock")}
					</LinkButton>
				</Text>
			) : null}
		</>
	);
}
