import { CloseButton, TextInput, type TextInputProps } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { usePageKey } from "@/lib/page-keys";
import classes from "./search-field.module.css";

interface SearchFieldProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
	value: string;
	onChange: (value: string) => void;
	/** Whether the search shortcut focuses this field. `false` if another field of the page has it. */
	hasKey?: boolean;
}

/** Search of a page or list, with shortcut and clear button. */
export function SearchField({ value, onChange, hasKey = true, ...input }: SearchFieldProps) {
	const { t } = useTranslation("common");
	const find = usePageKey("find");
	const field = useRef<HTMLInputElement>(null);
	const clear = () => {
		onChange("");
		// The clear button, which had the focus, is removed.
		field.current?.focus();
	};
	return (
		<TextInput
			ref={field}
			type="search"
			classNames={{ input: classes.input ?? "" }}
			leftSection={<IconSearch size={16} aria-hidden />}
			rightSection={value ? <CloseButton size="sm" aria-label={t("clearSearch")} onClick={clear} /> : null}
			value={value}
			onChange={(event) => onChange(event.currentTarget.value)}
			{...(hasKey ? find : {})}
			{...input}
		/>
	);
}
