import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type ExportVerification, muchSmaller } from "@/bridge";
import { Notice } from "@/components/notice";
import { formatSize } from "@/lib/format";

export function Verification({ verification }: { verification: ExportVerification }) {
	const { t } = useTranslation("exportServer", { keyPrefix: "verification" });
	const { fault, entries, unverifiedEntries, isRecognized, size, usualSize } = verification;
	if (fault !== null)
		return (
			<Notice tone="failed" icon={IconAlertTriangle} title={t(fault === "earlier" ? "earlierTitle" : "faultTitle")}>
				<Text>{t(`fault.${fault}`)}</Text>
				<Text>{t(fault === "earlier" ? "earlierDo" : "faultDo")}</Text>
			</Notice>
		);
	return (
		<>
			{isRecognized !== false ? (
				<Text>
					{unverifiedEntries === 0 ? t("entries", { count: entries }) : t("unverified", { count: unverifiedEntries })}
				</Text>
			) : (
				<Notice text={t("notRecognized")} tone="warnings" icon={IconAlertTriangle} title={t("notRecognizedTitle")} />
			)}
			{usualSize !== null && size * muchSmaller <= usualSize ? (
				<Notice tone="warnings" role="alert" title={t("small", { size: formatSize(usualSize) })} />
			) : null}
		</>
	);
}
