import { List } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Foldable } from "./foldable";

interface FurtherResponseProps {
	lines?: readonly string[] | undefined;
	/** Where a page has those of several requests. */
	title?: string;
}

/** What a site returned besides the fields that the app reads; nothing if there is none. */
export function FurtherResponse({ lines = [], title }: FurtherResponseProps) {
	const { t } = useTranslation();
	if (lines.length === 0) return null;
	return (
		<Foldable title={title ?? t("furtherResponse")}>
			<List>
				{[...new Set(lines)].map((line) => (
					<List.Item key={line} mod="anywhere">
						{line}
					</List.Item>
				))}
			</List>
		</Foldable>
	);
}
