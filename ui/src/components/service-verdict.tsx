import { List, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceCheck, Target } from "@/bridge";
import { Time } from "@/components/time";
import { formatNumber } from "@/lib/format";
import { Notice } from "./notice";
import { ServiceData } from "./service-data";

/** So many are named; the number of the others is given. */
const named = 10;

interface ServiceVerdictProps {
	target: Target;
	check: ServiceCheck;
	/** What else there is to say, below the services that do not run. */
	children?: ReactNode;
}

/** Whether the services run that are set to run, and which do not. */
export function ServiceVerdict({ target, check, children }: ServiceVerdictProps) {
	const { t } = useTranslation("sites", { keyPrefix: "serviceCheck" });
	const { notRunning, unknown = 0, unlisted = [] } = check;
	const others = check.services - check.shouldRun - unknown;
	const allRun = notRunning.length === 0 && unlisted.length === 0;
	const counts = { running: formatNumber(check.running), total: formatNumber(check.shouldRun) };
	const title = check.shouldRun === 0 ? t("none") : t("running", { count: check.shouldRun, ...counts });
	return (
		<Notice
			tone={allRun ? "succeeded" : "warnings"}
			icon={allRun ? IconCircleCheck : IconAlertTriangle}
			role="status"
			title={title}
		>
			<Text size="sm" c="dimmed">
				{t("checked")} <Time at={check.checkedAt} />
			</Text>
			{notRunning.length === 0 ? null : (
				<List size="sm">
					{notRunning.slice(0, named).map(({ service, state }) => (
						<List.Item key={service} mb={4} style={{ overflowWrap: "anywhere" }}>
							{t("notRunning", { service, state })}
							<ServiceData target={target} service={service} />
						</List.Item>
					))}
				</List>
			)}
			{notRunning.length > named ? <Text size="sm">{t("more", { count: notRunning.length - named })}</Text> : null}
			{unknown > 0 ? <Text size="sm">{t("unknown", { count: unknown })}</Text> : null}
			{unlisted.map((folder) => (
				<Text key={folder} size="sm" style={{ overflowWrap: "anywhere" }}>
					{t("unlisted", { folder })}
				</Text>
			))}
			{others > 0 ? <Text size="sm">{t("others", { count: others })}</Text> : null}
			{children}
		</Notice>
	);
}
