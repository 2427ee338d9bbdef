import { Group, Text } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { unlockedUntil } from "@/lib/unlocked-until";
import { useNow } from "@/lib/use-now";

/** Whether a site takes changes, where it is marked read-only. */
export function ReadOnlyMark({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const now = useNow(10_000);
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	const Icon = until ? IconLockOpen : IconLock;
	return (
		<Group gap={6} wrap="nowrap">
			<Icon size={14} stroke={1.5} aria-hidden />
			<Text size="sm">{until ? t("readOnly.unlocked", { at: formatTime(until) }) : t("form.readOnly")}</Text>
		</Group>
	);
}
