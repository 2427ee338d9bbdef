import { List } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Foldable } from "./foldable";

interface FurtherResponseProps {
	lines?: readonly string[] | undefined;
	/** Title, if a page shows the responses of several requests. */
	title?: string;
}

/** Text that a site returned in addition to the fields that the app reads. Renders nothing without any. */
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
