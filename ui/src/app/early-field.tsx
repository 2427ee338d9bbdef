import { VisuallyHidden } from "@mantine/core";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";

/** Text typed between the shortcut and the palette, and the following keys that select a result. */
export interface EarlyText {
	text: string;
	keys: readonly string[];
}

interface EarlyFieldProps {
	/** Updated with each key press. */
	typed: RefObject<EarlyText>;
}

const chooses: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "Enter", "Escape"]);

/** Hidden field that has the focus until the palette is loaded, so that no key press is lost or reaches the page. */
export function EarlyField({ typed }: EarlyFieldProps) {
	const { t } = useTranslation();
	const [text, setText] = useState("");
	return (
		<VisuallyHidden>
			<input
				aria-label={t("menu.palette")}
				tabIndex={-1}
				// biome-ignore lint/a11y/noAutofocus: the user pressed the shortcut to type here
				autoFocus
				value={text}
				onChange={({ currentTarget: { value } }) => {
					setText(value);
					typed.current = { ...typed.current, text: value };
				}}
				onKeyDown={({ key }) => {
					if (chooses.has(key)) typed.current = { ...typed.current, keys: [...typed.current.keys, key] };
				}}
			/>
		</VisuallyHidden>
	);
}
