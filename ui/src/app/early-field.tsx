import { VisuallyHidden } from "@mantine/core";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";

/** What was typed between Ctrl+K and the palette, and the keys after it that choose something there. */
export interface EarlyText {
	text: string;
	keys: readonly string[];
}

interface EarlyFieldProps {
	/** Where it stands from its first letter on. */
	typed: RefObject<EarlyText>;
}

const chooses: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "Enter", "Escape"]);

/** Has the focus until the palette's own field is loaded and shown: no letter goes to the page or gets lost. */
export function EarlyField({ typed }: EarlyFieldProps) {
	const { t } = useTranslation();
	const [text, setText] = useState("");
	return (
		<VisuallyHidden>
			<input
				aria-label={t("menu.palette")}
				tabIndex={-1}
				// biome-ignore lint/a11y/noAutofocus: whoever pressed the key types here
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
