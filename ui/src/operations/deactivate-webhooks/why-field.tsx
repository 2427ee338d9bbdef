import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface WhyFieldProps {
	why: string;
	onWhy: (why: string) => void;
}

export function WhyField({ why, onWhy }: WhyFieldProps) {
	const { t } = useTranslation("deactivateWebhooks");
	return (
		<TextInput
			label={t("why")}
			description={t("whyHint")}
			data-path="why"
			value={why}
			onChange={(event) => onWhy(event.currentTarget.value)}
		/>
	);
}
