import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Reason or ticket of a change, stored in its history entry. */
export function ReasonField(input: TextInputProps) {
	const { t } = useTranslation("common", { keyPrefix: "reason" });
	return <TextInput label={t("label")} description={t("hint")} data-path="reason" autoComplete="off" {...input} />;
}
