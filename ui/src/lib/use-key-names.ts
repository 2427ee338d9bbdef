import { useOs } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

/** The keys of a shortcut, as they are called on the keyboard in front of the person. */
export function useKeyNames(): (keys: string) => string[] {
	const { t } = useTranslation();
	const apple = useOs({ getValueInEffect: false }) === "macos";
	const names: Record<string, string> = {
		mod: apple ? "⌘" : t("shortcuts.ctrl"),
		shift: apple ? "⇧" : t("shortcuts.shift"),
		alt: t("shortcuts.alt"),
		Enter: apple ? "↩" : t("shortcuts.enter"),
		ArrowLeft: "←",
		ArrowRight: "→",
		plus: "+",
		minus: "−",
	};
	// The question mark needs the shift key on most keyboards, and stands for both.
	return (keys) => (keys === "shift+?" ? ["?"] : keys.split("+").map((key) => names[key] ?? key));
}
