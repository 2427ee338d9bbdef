import { Button, Group, Text } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type OperationKey, type SiteView, useBackend } from "@/bridge";
import { formatDuration, formatTime } from "@/lib/format";
import { queryKeys } from "@/lib/queries";
import { useSignInRequest } from "@/lib/sign-in-request";
import { serverOf } from "@/lib/target";
import { Notice } from "./notice";

/** Warns before a long operation whose token is likely to end first; nothing otherwise. */
export function TokenExpiryCheck({ site, operation }: { site: SiteView; operation: OperationKey }) {
	const { t } = useTranslation(["run", "common"]);
	const backend = useBackend();
	const askToSignIn = useSignInRequest();
	const { data } = useQuery({
		queryKey: queryKeys.checkTokenExpiry(serverOf(site), operation),
		queryFn: () => backend.checkTokenExpiry(serverOf(site), operation),
		// A token that lasts when the page opens may not last when its form is filled in. No site is asked.
		refetchInterval: 30_000,
	});
	if (!data || data.shortBy === null) return null;
	return (
		<Notice tone="warnings" icon={IconClockExclamation} role="status" title={t("sessionExpiry.title")}>
			<Text size="sm">
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
				<Button variant="default" onClick={() => askToSignIn(site.id)}>
					{t("common:action.signIn")}
				</Button>
			</Group>
		</Notice>
	);
}
