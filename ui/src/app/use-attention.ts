import { useTranslation } from "react-i18next";
import type { Key, SiteView } from "@/bridge";
import { formatAgo } from "@/lib/format";
import { usePreferences } from "@/lib/preferences";
import { useReminders } from "@/lib/queries";
import { useNow } from "@/lib/use-now";

/** What wants attention at an operation: how many, or only that something does, and why. */
export interface Attention {
	count: number | null;
	why: string;
}

const week = 7 * 24 * 3_600_000;

/** What wants attention on a site, by operation. Nothing when the person wants no reminders. */
export function useAttention(site: SiteView | null): Partial<Record<Key, Attention>> {
	const { t } = useTranslation();
	const { preferences } = usePreferences();
	const reminders = useReminders().data ?? [];
	const now = useNow(60_000);
	if (!site || !preferences.reminders) return {};
	const about = (kind: "silence" | "invitation") =>
		reminders.filter((one) => one.site === site.id && one.about.kind === kind).length;
	const attention: Partial<Record<Key, Attention>> = {};
	const silent = about("silence");
	if (silent > 0) attention.deactivate_webhooks = { count: silent, why: t("attention.silent", { count: silent }) };
	const ending = about("invitation");
	if (ending > 0) attention.refresh_invitation = { count: ending, why: t("attention.ending", { count: ending }) };
	if (site.kind === "production" && (site.lastExport === null || site.lastExport < now - week)) {
		const why =
			site.lastExport === null
				? t("attention.neverExported")
				: t("attention.oldExport", { ago: formatAgo(site.lastExport, now) });
		attention[site.portal === null ? "export_server" : "export_portal"] = { count: null, why };
	}
	return attention;
}
