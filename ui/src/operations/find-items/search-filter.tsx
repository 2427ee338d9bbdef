import { CloseButton, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ItemSearchView } from "@/bridge";
import { usePageKey } from "@/lib/page-keys";
import { typeText } from "./type-text";

interface SearchFilterProps {
	search: ItemSearchView;
	words: string;
	onWords: (words: string) => void;
	type: string | null;
	onType: (type: string | null) => void;
}

/** Words and a type, to see fewer of what was found. */
export function SearchFilter({ search, words, onWords, type, onType }: SearchFilterProps) {
	const { t } = useTranslation("findItems");
	const find = usePageKey("find");
	const types = search.types.filter((one) => one.type !== "");
	return (
		<>
			<TextInput
				size="xs"
				flex="1 1 190px"
				maw={260}
				aria-label={t("filter")}
				placeholder={t("filter")}
				leftSection={<IconSearch size={16} aria-hidden />}
				rightSection={
					words ? <CloseButton size="sm" aria-label={t("clearFilter")} onClick={() => onWords("")} /> : null
				}
				value={words}
				onChange={(event) => onWords(event.currentTarget.value)}
				{...find}
			/>
			{types.length > 1 ? (
				<Select
					size="xs"
					flex="0 1 170px"
					aria-label={t("ofType")}
					placeholder={t("everyType")}
					data={types.map((one) => ({
						value: one.type,
						label: t("typeCount", { type: typeText(t, one.type), count: one.count }),
					}))}
					value={type}
					onChange={onType}
					clearable
					clearButtonProps={{ "aria-label": t("clearType") }}
					comboboxProps={{ width: 300, position: "bottom-start" }}
				/>
			) : null}
		</>
	);
}
