import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { confirms, differenceFrom, typeable } from "@/lib/confirmation";

interface TypedConfirmationProps extends TextInputProps {
	/** Text to type. */
	name: string;
	value: string;
	/** Target that is replaced; named if the typed text differs. Without it, the first different character is named. */
	replaces?: string;
}

/** Field for the text that confirms an operation. It shows how the input differs. */
export function TypedConfirmation({ name, value, replaces, error, ...input }: TypedConfirmationProps) {
	const { t } = useTranslation("common", { keyPrefix: "confirmation" });
	const different = differenceFrom(name, value);
	const differs =
		different && replaces !== undefined
			? t("replaces", { target: replaces })
			: different && t(different.wanted === "" ? "tooLong" : "differs", { ...different });
	const hint = typeable(name) === name ? null : t("replaced");
	return (
		<TextInput
			label={t("label", { text: name })}
			inputWrapperOrder={["label", "input", "error", "description"]}
			description={confirms(value, name) ? t("matches") : hint}
			spellCheck={false}
			autoComplete="off"
			data-path="confirmation"
			error={error || differs}
			value={value}
			{...input}
		/>
	);
}
