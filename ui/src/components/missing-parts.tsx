import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { MissingPart } from "@/bridge";

export function MissingParts({ missing }: { missing: readonly MissingPart[] }) {
	const { t } = useTranslation("run", { keyPrefix: "inventory" });
	return missing.map(({ part, of, reason }) => (
		<Text key={`${part} ${of}`} mod="anywhere">
			{!of
				? t("missing", { part: t(`part.${part}`), reason })
				: t("missingOf", { part: t(`part.${part}`), of, reason })}
		</Text>
	));
}
