import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { formatDay } from "@/lib/format";
import { useKnownSession } from "@/lib/queries";

/** The versions of a site: as it says now, or as it said last, greyed and with the day. */
export function CardVersion({ site }: { site: SiteView }) {
	const { t } = useTranslation(["sites", "common"]);
	const session = useKnownSession(site.id);
	const { portalVersion, serverVersion } = session ?? site.seen ?? { portalVersion: null, serverVersion: null };
	const versions = [
		portalVersion ? t("common:bar.portalVersion", { version: portalVersion }) : null,
		serverVersion ? t("common:bar.serverVersion", { version: serverVersion }) : null,
	].filter((version) => version !== null);
	if (versions.length === 0) return null;
	const words = versions.join(" · ");
	if (session || !site.seen) return <Text size="sm">{words}</Text>;
	return (
		<Text size="sm" c="dimmed">
			{t("card.versionThen", { versions: words, day: formatDay(site.seen.at) })}
		</Text>
	);
}
