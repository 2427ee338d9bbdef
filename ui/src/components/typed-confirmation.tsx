import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { confirms, differenceFrom, typeable } from "@/lib/confirmation";

interface TypedConfirmationProps extends TextInputProps {
	/** What has to be typed. */
	name: string;
	value: string;
	/** Names what is replaced, which another text would not be; without it, the first other character is named. */
	replaces?: string;
}

/** The field for what has to be typed before something can be confirmed. It says what differs. */
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
