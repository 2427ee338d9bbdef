import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { usePageKey } from "@/lib/page-keys";
import { namedButton } from "./named-button";

interface SubmitButtonProps extends ButtonProps {
	/** For what is no form; a form is submitted. */
	onClick?: () => void;
	children: ReactNode;
}

/** The button that a page is about; a key presses it as well. */
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
