import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A field whose text is hidden until it is asked for, which the keyboard can do too. */
export function SecretInput(props: PasswordInputProps) {
	const { t } = useTranslation();
	return (
		<PasswordInput
			visibilityToggleFocusable
			visibilityToggleButtonProps={{ "aria-label": t("secretInput.toggle") }}
			{...props}
		/>
	);
}
