import { List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { usePreferences } from "@/lib/preferences";

/** What is wrong with the file of the organisation, for whoever can mend it. */
export function PolicyFaults() {
	const { t } = useTranslation();
	const { policy } = usePreferences();
	if (policy === null || policy.faults.length === 0) return null;
	return (
		<Notice tone="warnings" icon={IconAlertTriangle} role="status" title={t("settings.policyFaults")}>
			<Text size="sm">{t("settings.policyFaultsBody")}</Text>
			<List size="sm">
				{policy.faults.map((fault) => (
					<List.Item key={"key" in fault ? fault.key : fault.kind}>
						{t(`settings.policyFault.${fault.kind}`, { ...fault })}
					</List.Item>
				))}
			</List>
			<CopyField label={t("settings.policyFile")} value={policy.file} />
		</Notice>
	);
}
