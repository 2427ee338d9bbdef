import { useOs } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

/** Returns a function that names the keys of a shortcut as this system labels them. */
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
	// "?" needs Shift on most keyboards, so it is shown alone.
	return (keys) => (keys === "shift+?" ? ["?"] : keys.split("+").map((key) => names[key] ?? key));
}
