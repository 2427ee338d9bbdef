import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { differenceFrom, typeable } from "@/lib/confirmation";

interface TypedConfirmationProps extends TextInputProps {
	/** What has to be typed. */
	name: string;
	value: string;
}

/** The field for what has to be typed before something can be confirmed. It says what differs. */
export function TypedConfirmation({ name, value, error, ...input }: TypedConfirmationProps) {
	const { t } = useTranslation("common", { keyPrefix: "confirmation" });
	const different = differenceFrom(name, value);
	return (
		<TextInput
			label={t("label", { text: name })}
			description={typeable(name) === name ? null : t("replaced")}
			spellCheck={false}
			autoComplete="off"
			data-path="confirmation"
			error={error || (different && t(different.wanted === "" ? "tooLong" : "differs", { ...different }))}
			value={value}
			{...input}
		/>
	);
}
