import { Button, type ButtonProps, Text } from "@mantine/core";
import { type ComponentProps, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { unavailableText } from "@/lib/unavailable-text";
import { useReadOnly } from "@/lib/use-read-only";
import classes from "./named-button.module.css";
import { unlockField } from "./read-only";
import { LinkButton } from "./text";

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

export const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };

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
