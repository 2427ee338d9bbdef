import { useTranslation } from "react-i18next";
import { Foldable } from "./foldable";
import { Lines } from "./text";

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
			<Lines lines={[...new Set(lines)]} />
		</Foldable>
	);
}
