import { Button, Tooltip } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { formatClock, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { unlockedUntil } from "@/lib/unlocked-until";
import { useNow } from "@/lib/use-now";
import classes from "./top-bar.module.css";

/** Of a read-only site: that it is locked, or for how long it is not. It leads to where that is changed. */
export function ReadOnlyButton({ site }: { site: SiteView }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const now = useNow(1_000);
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	const Icon = until === null ? IconLock : IconLockOpen;
	return (
		<Tooltip label={until === null ? t("bar.readOnlyHint") : t("bar.unlockedHint", { at: formatTime(until) })}>
			<Button
				size="compact-sm"
				variant={until === null ? "transparent" : "white"}
				color={until === null ? "white" : "dark"}
				className={classes.mark ?? ""}
				leftSection={<Icon size={16} aria-hidden />}
				onClick={() => go({ page: "overview", site: site.id })}
			>
				{until === null ? t("bar.readOnly") : t("bar.unlocked", { left: formatClock(until - now) })}
			</Button>
		</Tooltip>
	);
}
