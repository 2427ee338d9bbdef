import { Button, Group, Text } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { OperationKey, SiteView } from "@/bridge";
import { formatDuration, formatTime } from "@/lib/format";
import { useSignInRequest } from "@/lib/navigation";
import { useTokenExpiry } from "@/lib/queries/site";
import { serverOf } from "@/lib/target";
import { Notice } from "./notice";

/** Warning that the token will probably expire before a long operation ends; otherwise renders nothing. */
export function TokenExpiryCheck({ site, operation }: { site: SiteView; operation: OperationKey }) {
	const { t } = useTranslation(["run", "common"]);
	const askToSignIn = useSignInRequest();
	const { data } = useTokenExpiry(serverOf(site), operation);
	if (!data || data.shortBy === null) return null;
	return (
		<Notice tone="warnings" icon={IconClockExclamation} title={t("sessionExpiry.title")}>
			<Text>
				{data.endsAt === null ? null : t("sessionExpiry.ends", { at: formatTime(data.endsAt) })}{" "}
				{data.tookBefore === null
					? null
					: t("sessionExpiry.took", {
							operation: t(`common:operation.${operation}.name`),
							duration: formatDuration(data.tookBefore * 1_000),
						})}{" "}
				{t("sessionExpiry.do")}
			</Text>
			<Group>
				<Button onClick={() => askToSignIn(site.id)}>{t("common:action.signIn")}</Button>
			</Group>
		</Notice>
	);
}
