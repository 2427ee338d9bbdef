import { Group, Kbd } from "@mantine/core";
import { useOs } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

/** A shortcut as the keyboard in front of the person has it. */
export function Keys({ of }: { of: string }) {
	const { t } = useTranslation();
	const apple = useOs() === "macos";
	const names: Record<string, string> = {
		mod: apple ? "⌘" : t("shortcuts.ctrl"),
		shift: apple ? "⇧" : t("shortcuts.shift"),
		alt: t("shortcuts.alt"),
		ArrowLeft: "←",
		ArrowRight: "→",
		plus: "+",
		minus: "−",
	};
	// The question mark needs the shift key on most keyboards, and stands for both.
	const keys = of === "shift+?" ? ["?"] : of.split("+");
	return (
		<Group gap={4} wrap="nowrap" component="span">
			{keys.map((key) => (
				<Kbd key={key} size="xs">
					{names[key] ?? key}
				</Kbd>
			))}
		</Group>
	);
}
