import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ItemSearchView } from "@/bridge";
import { SearchField } from "@/components/search-field";
import { typeText } from "./type-text";

interface SearchFilterProps {
	search: ItemSearchView;
	words: string;
	onWords: (words: string) => void;
	type: string | null;
	onType: (type: string | null) => void;
}

export function SearchFilter({ search, words, onWords, type, onType }: SearchFilterProps) {
	const { t } = useTranslation("findItems");
	const types = search.types.filter((one) => one.type !== "");
	return (
		<>
			<SearchField
				size="xs"
				flex="1 1 190px"
				maw={260}
				aria-label={t("filter")}
				placeholder={t("filter")}
				value={words}
				onChange={onWords}
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
