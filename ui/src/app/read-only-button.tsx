import { Button } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { Hint } from "@/components/hint";
import { formatDuration, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { unlockedUntil } from "@/lib/unlocked-until";
import { useNarrow } from "@/lib/use-narrow";
import { useNow } from "@/lib/use-now";
import classes from "./top-bar.module.css";

/** State of a read-only site: locked, or the time until it locks. Opens the page where this is changed. */
export function ReadOnlyButton({ site }: { site: SiteView }) {
	const { t } = useTranslation();
	const { go } = useNavigation();
	const now = useNow(1_000);
	// A narrow bar has room for the names only; the icon and the time remain.
	const narrow = useNarrow();
	if (!site.readOnly) return null;
	const until = unlockedUntil(site, now);
	const Icon = until === null ? IconLock : IconLockOpen;
	const left = until === null ? null : formatDuration(whole(until - now));
	const longest = formatDuration(15 * 60_000);
	const words = left === null ? t("bar.readOnly") : t("bar.unlocked", { left });
	return (
		<Hint label={until === null ? t("bar.readOnlyHint") : t("bar.unlockedHint", { at: formatTime(until) })}>
			<Button
				variant={until === null ? "transparent" : "white"}
				color={until === null ? "white" : "dark"}
				className={classes.mark ?? ""}
				leftSection={<Icon size={16} aria-hidden />}
				aria-label={words}
				onClick={() => go({ page: "overview", site: site.id })}
			>
				{left === null ? (
					narrow ? null : (
						words
					)
				) : (
					<span className={classes.countdown}>
						<span>{narrow ? left : words}</span>
						{/* Reserves the width of the longest text, so that the neighbors do not move during the countdown. */}
						<span aria-hidden>{narrow ? longest : t("bar.unlocked", { left: longest })}</span>
					</span>
				)}
			</Button>
		</Hint>
	);
}

/** Rounds to whole minutes, and to seconds in the last minute. */
function whole(left: number): number {
	const unit = left < 60_000 ? 1_000 : 60_000;
	return Math.max(unit, left - (left % unit));
}
