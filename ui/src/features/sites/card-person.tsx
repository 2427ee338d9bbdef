import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useKnownSession } from "@/lib/queries";

/** Who is signed in and until when; otherwise who was last. The site is not asked for it. */
export function CardPerson({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites");
	const session = useKnownSession(site.id);
	if (session) {
		return (
			<Text size="sm">
				{session.expiresAt === null
					? t("card.signedIn", { username: session.username })
					: t("card.signedInUntil", { username: session.username, at: formatTime(session.expiresAt) })}
			</Text>
		);
	}
	return <Text size="sm">{site.username ? t("card.lastUser", { username: site.username }) : t("card.never")}</Text>;
}
