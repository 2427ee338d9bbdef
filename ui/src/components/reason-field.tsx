import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The field for the reason or ticket of a change, which the history keeps with it. */
export function ReasonField(input: TextInputProps) {
	const { t } = useTranslation("common", { keyPrefix: "reason" });
	return <TextInput label={t("label")} description={t("hint")} data-path="reason" autoComplete="off" {...input} />;
}
