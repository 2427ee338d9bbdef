import { List } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ReactivatedWebhooks } from "@/bridge";
import { Notice } from "@/components/notice";
import { formatNumber } from "@/lib/format";

/** The webhooks that were deactivated for the import: how many are active again, and each that is not. */
export function Reactivated({ webhooks }: { webhooks: ReactivatedWebhooks }) {
	const { t } = useTranslation("importServer", { keyPrefix: "reactivated" });
	const { active, gone, failed } = webhooks;
	const count = active + gone.length + failed.length;
	const isWhole = failed.length === 0;
	return (
		<Notice
			tone={isWhole ? "succeeded" : "warnings"}
			icon={IconWebhook}
			role="status"
			title={t("title", { count, active: formatNumber(active) })}
		>
			{count === active ? null : (
				<List size="sm">
					{failed.map((one) => (
						<List.Item key={`${one.service} ${one.webhook}`} style={{ overflowWrap: "anywhere" }}>
							{t(one.webhook === "" ? "failedAll" : "failed", { ...one })}
						</List.Item>
					))}
					{gone.map((one) => (
						<List.Item key={`${one.service} ${one.webhook}`} style={{ overflowWrap: "anywhere" }}>
							{t("gone", { ...one })}
						</List.Item>
					))}
				</List>
			)}
		</Notice>
	);
}
