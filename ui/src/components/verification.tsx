import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type ExportVerification, muchSmaller } from "@/bridge";
import { Notice } from "@/components/notice";
import { formatSize } from "@/lib/format";

/** What reading the saved export completely has shown. */
export function Verification({ verification }: { verification: ExportVerification }) {
	const { t } = useTranslation("exportServer", { keyPrefix: "verification" });
	const { fault, entries, unverifiedEntries, size, usualSize } = verification;
	if (fault !== null)
		return (
			<Notice tone="failed" icon={IconAlertTriangle} title={t("faultTitle")}>
				<Text>{t(`fault.${fault}`)}</Text>
				<Text>{t("faultDo")}</Text>
			</Notice>
		);
	return (
		<>
			<Text>
				{unverifiedEntries === 0 ? t("entries", { count: entries }) : t("unverified", { count: unverifiedEntries })}
			</Text>
			{usualSize !== null && size * muchSmaller <= usualSize ? (
				<Notice tone="warnings" role="alert" title={t("small", { size: formatSize(usualSize) })} />
			) : null}
		</>
	);
}
