import { useTranslation } from "react-i18next";
import type { Millis } from "@/bridge";
import { formatDuration } from "@/lib/format";
import { useNow } from "@/lib/use-now";

/** How long the token still holds, in whole minutes; urgent in its last five. */
export function useTokenLife(expiresAt: Millis | null): { words: string; urgent: boolean } | null {
	const { t } = useTranslation();
	const now = useNow(20_000);
	if (expiresAt === null) return null;
	const left = expiresAt - now;
	if (left <= 0) return { words: t("bar.tokenEnded"), urgent: true };
	const whole = left < 60_000 ? 60_000 : left - (left % 60_000);
	return { words: t("bar.token", { left: formatDuration(whole) }), urgent: left < 5 * 60_000 };
}
