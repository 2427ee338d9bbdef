import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Input with hidden text and a button, reachable by keyboard, that shows it. */
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
