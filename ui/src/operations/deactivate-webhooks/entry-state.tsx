import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DeactivationView } from "@/bridge";
import { isActiveAgain } from "@/lib/active-again";
import { formatList, formatTime } from "@/lib/format";

interface EntryStateProps {
	entry: DeactivationView;
	/** Names of its webhooks that are active on the site now. */
	active: readonly string[];
}

/** Since when the webhooks of an entry are deactivated, or that they are active again. */
export function EntryState({ entry, active: now }: EntryStateProps) {
	const { t } = useTranslation("deactivateWebhooks");
	const { active } = entry;
	const about = { at: formatTime(entry.deactivatedAt), by: entry.by || t("log.somebody") };
	const some = { ...about, count: now.length, names: formatList(now) };
	const state = () => {
		if (isActiveAgain(entry, now)) return t("log.again", about);
		if (now.length > 0)
			return active ? t("log.againSome", { ...some, total: active.length }) : t("log.againUnknown", some);
		return entry.known ? t("log.since", about) : t("log.uncertain", about);
	};
	return (
		<Text size="sm" {...(now.length > 0 ? {} : { c: "dimmed" })}>
			{state()}
		</Text>
	);
}
