import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { usePageKey } from "@/lib/page-keys";
import { namedButton } from "./named-button";

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
