import { Group, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Setting } from "@/bridge";
import { usePreferences } from "@/lib/preferences";

/** What a setting that the organisation decides shows beside its hint. Its value can be read, and not changed. */
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
		/** For a switch or a choice. */
		choice: (setting: Setting, hint?: string) => ({ ...describe(setting, hint), disabled: isLocked(setting) }),
		/** For a field: what is greyed is hard to read. */
		field: (setting: Setting, hint?: string) => ({ ...describe(setting, hint), ...readable(isLocked(setting)) }),
		/** For a field that belongs to a setting and says nothing of it. */
		part: (setting: Setting) => readable(isLocked(setting)),
	};
}

function readable(isLocked: boolean) {
	return isLocked ? ({ readOnly: true, variant: "filled" } as const) : {};
}
