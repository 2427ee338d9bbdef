import { List } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RehearsalDifference } from "@/bridge";

/** What differs between the site of a set and the test site, one line each. */
export function Differences({ differences }: { differences: readonly RehearsalDifference[] }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	return (
		<List spacing={4}>
			{differences.map(({ part, about, set, test }) => (
				<List.Item key={`${part} ${about}`}>
					{t(`difference.${about}`, { part, set: set || t("valueUnknown"), test: test || t("valueUnknown") })}
				</List.Item>
			))}
		</List>
	);
}
