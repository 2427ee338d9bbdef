import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ReactivatedWebhooks } from "@/bridge";
import { Fact, FactList } from "@/components/fact-list";
import { Lines } from "@/components/text";
import { formatTime } from "@/lib/format";

/** Webhooks that were deactivated for the import: how many are active again, and those that are not. */
export function Reactivated({ webhooks }: { webhooks: ReactivatedWebhooks }) {
	const { t } = useTranslation("importServer", { keyPrefix: "reactivated" });
	const { active, gone, failed, unknown, notRead, inactive } = webhooks;
	const count = active + gone.length + failed.length + unknown.length;
	return (
		<>
			<FactList>
				<Fact name={t("webhooks")}>
					<span role="status">{notRead === null ? t("title", { count, active }) : t("notRead")}</span>
				</Fact>
			</FactList>
			{notRead === null ? null : <Text>{notRead}</Text>}
			{inactive === null || active + gone.length === 0 ? null : (
				<Text>
					{t("inactive", {
						count: active + gone.length,
						from: formatTime(inactive.from),
						to: formatTime(inactive.to),
					})}
				</Text>
			)}
			{count === active ? null : (
				<Lines
					lines={[
						...failed.map((one) => t(one.webhook === "" ? "failedAll" : "failed", { ...one })),
						...unknown.map((one) => t(one.webhook === "" ? "unknownAll" : "unknown", { ...one })),
						...gone.map((one) => t("gone", { ...one })),
					]}
				/>
			)}
		</>
	);
}
