import { Anchor, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OperationKey, RecordId, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useLastEntry } from "@/lib/queries/history";
import { serverNameOf } from "@/lib/target-name";
import { OutcomeIcon } from "./outcome";

interface LastResultProps {
	operation: OperationKey;
	site: SiteView;
	/** Result that the page still has; `null` if there is none. */
	kept: { record: RecordId | null; onShow: () => void } | null;
}

/**
 * Line about the last run of the operation. It is empty until it is read, so that the form does not move while the user
 * clicks.
 */
export function LastResult({ operation, site, kept }: LastResultProps) {
	const { t } = useTranslation(["run", "common"]);
	const { go } = useNavigation();
	const server = serverNameOf(operation, site);
	const entry = useLastEntry(operation, site);
	if (entry === undefined && !kept) return <Text aria-hidden>{"\u00a0"}</Text>;
	if (!entry && !kept) {
		return <Text c="dimmed">{server === null ? t("last.never") : t("last.neverOn", { server })}</Text>;
	}
	const isKept = kept !== null && (!entry || kept.record === entry.id);
	const said = entry && {
		outcome: t(`common:outcome.${entry.outcome}`),
		at: formatTime(entry.endedAt ?? entry.startedAt),
	};
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start" role="group" aria-label={t("last.label")}>
			{entry ? <OutcomeIcon outcome={entry.outcome} isAtFirstLine /> : null}
			<Text>
				{said ? (server === null ? t("last.ended", said) : t("last.endedOn", { ...said, server })) : t("last.kept")}
			</Text>
			<Anchor
				component="button"
				type="button"
				size="sm"
				onClick={() => (isKept ? kept.onShow() : entry && go({ page: "history", record: entry.id }))}
			>
				{t("last.show")}
			</Anchor>
		</Group>
	);
}
