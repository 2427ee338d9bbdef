import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { NotComparedView } from "@/bridge";
import { Foldable } from "@/components/foldable";
import { Notice } from "@/components/notice";
import { formatNumber } from "@/lib/format";

/** Gaps that are shown before the others are folded. */
const most = 3;

/** What was not read, with the reasons: it might differ. */
export function NotCompared({ gaps }: { gaps: readonly NotComparedView[] }) {
	const { t } = useTranslation("changes", { keyPrefix: "notCompared" });
	if (gaps.length === 0) return null;
	const more = gaps.slice(most);
	return (
		<Notice tone="warnings" title={t("title")}>
			<Gaps gaps={gaps.slice(0, most)} />
			{more.length === 0 ? null : (
				<Foldable title={t("more", { count: more.length, formatted: formatNumber(more.length) })}>
					<Gaps gaps={more} />
				</Foldable>
			)}
		</Notice>
	);
}

function Gaps({ gaps }: { gaps: readonly NotComparedView[] }) {
	const { t } = useTranslation(["changes", "common"]);
	return (
		<Stack gap={4}>
			{gaps.map(({ resourceKind, server, name, reason }) => (
				<Text key={`${resourceKind} ${server} ${name} ${reason}`} mod="anywhere">
					{t("notCompared.one", {
						what: [t(`common:changesFile.kinds.${resourceKind}`), name].filter(Boolean).join(" "),
						where: server ?? t("portal"),
						reason,
					})}
				</Text>
			))}
		</Stack>
	);
}
