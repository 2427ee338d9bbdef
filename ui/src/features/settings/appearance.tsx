import { Group, Input, SegmentedControl, Select, type SelectProps } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Preferences } from "@/bridge";
import { Card } from "@/components/section";
import { formatPercent } from "@/lib/format";
import { usePreferences } from "@/lib/preferences";
import { zoomSteps } from "@/lib/use-zoom";
import { useLocked } from "./use-locked";

const themes = ["system", "light", "dark"] as const satisfies readonly Preferences["theme"][];
const languages = ["system", "en", "de", "es"] as const satisfies readonly Preferences["language"][];

/** Input first, so that neighboring fields are aligned regardless of their descriptions. */
const below = ["label", "input", "description", "error"] satisfies SelectProps["inputWrapperOrder"];

export function Appearance() {
	const { t } = useTranslation();
	const { preferences, change, isLocked } = usePreferences();
	const locked = useLocked();
	const theme = useId();
	// Adds the current size if it is not one of the steps.
	const sizes = [...new Set([...zoomSteps, preferences.zoom])].sort((one, other) => one - other);
	return (
		<Card title={t("settings.appearance")}>
			<Input.Wrapper
				label={t("settings.theme")}
				labelElement="div"
				labelProps={{ id: theme }}
				{...locked.describe("theme")}
			>
				<Group>
					<SegmentedControl
						aria-labelledby={theme}
						disabled={isLocked("theme")}
						value={preferences.theme}
						onChange={(value) => change({ theme: value as Preferences["theme"] })}
						data={themes.map((value) => ({ value, label: t(`settings.${value}`) }))}
					/>
				</Group>
			</Input.Wrapper>
			<Group align="flex-start" gap="md">
				<Select
					w={220}
					label={t("settings.language")}
					value={preferences.language}
					onChange={(value) => value && change({ language: value as Preferences["language"] })}
					data={languages.map((value) => ({ value, label: t(`settings.languages.${value}`) }))}
					allowDeselect={false}
					inputWrapperOrder={below}
					{...locked.field("language")}
				/>
				<Select
					w={220}
					label={t("settings.zoom")}
					value={String(preferences.zoom)}
					onChange={(value) => value && change({ zoom: Number(value) })}
					data={sizes.map((size) => ({ value: String(size), label: formatPercent(size / 100) }))}
					allowDeselect={false}
					inputWrapperOrder={below}
					{...locked.field("zoom")}
				/>
			</Group>
		</Card>
	);
}
