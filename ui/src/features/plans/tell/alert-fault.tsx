import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AlertFault } from "@/bridge";
import { Notice } from "@/components/notice";
import { Small } from "@/components/text";

/** Why an alert was not sent, with the response of the receiver. */
export function AlertFaultNotice({ fault, children }: { fault: AlertFault; children?: ReactNode }) {
	const { t } = useTranslation("alerts");
	const refused = "refused" in fault ? fault.refused.map(({ address, said }) => `${address}: ${said}`) : [];
	const said = "said" in fault ? fault.said : "to" in fault ? fault.to : refused.join("\n");
	const status = fault.kind === "rejected" && fault.status !== null ? `HTTP ${fault.status} ` : "";
	return (
		<Notice tone="warnings" title={t(`fault.${fault.kind}.title`)}>
			<Text>{t(`fault.${fault.kind}.do`)}</Text>
			{children}
			{`${status}${said}` === "" ? null : (
				<Small mod="anywhere" style={{ whiteSpace: "pre-line" }}>
					{status}
					{said}
				</Small>
			)}
		</Notice>
	);
}
