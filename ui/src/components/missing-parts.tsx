import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { MissingPart } from "@/bridge";

/** The parts that are missing from an inventory, each with the reason. */
export function MissingParts({ missing }: { missing: readonly MissingPart[] }) {
	const { t } = useTranslation("run", { keyPrefix: "inventory" });
	return missing.map(({ part, reason }) => (
		<Text key={part} size="sm" style={{ overflowWrap: "anywhere" }}>
			{t("missing", { part: t(`part.${part}`), reason })}
		</Text>
	));
}
