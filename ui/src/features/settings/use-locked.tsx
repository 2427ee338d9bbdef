import { Group, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Setting } from "@/bridge";
import { usePreferences } from "@/lib/preferences";

/** Returns props of settings that the organization manages: their value is visible, but cannot be changed. */
export function useLocked() {
	const { t } = useTranslation();
	const { isLocked } = usePreferences();
	const describe = (setting: Setting, hint?: string) => {
		if (!isLocked(setting)) return hint ? { description: hint } : {};
		const decided = (
			<>
				{hint ? (
					<Text span display="block" inherit>
						{hint}
					</Text>
				) : null}
				<Group component="span" gap={4} wrap="nowrap">
					<IconLock size={14} aria-hidden />
					{t("settings.lockedByOrganisation")}
				</Group>
			</>
		);
		return { description: decided };
	};
	return {
		describe,
		/** Props of a switch or radio group. */
		choice: (setting: Setting, hint?: string) => ({ ...describe(setting, hint), disabled: isLocked(setting) }),
		/** Props of a text field: read-only, because disabled text is hard to read. */
		field: (setting: Setting, hint?: string) => ({ ...describe(setting, hint), ...readable(isLocked(setting)) }),
		/** Props of a text field that belongs to a setting without describing it. */
		part: (setting: Setting) => readable(isLocked(setting)),
	};
}

function readable(isLocked: boolean) {
	return isLocked ? ({ readOnly: true, variant: "filled" } as const) : {};
}
