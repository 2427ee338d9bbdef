import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OperationKey, RecordId, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useLastEntry } from "@/lib/queries/history";
import classes from "./last-result.module.css";
import { OutcomeIcon } from "./outcome";

interface LastResultProps {
	operation: OperationKey;
	site: SiteView;
	/** The result that the page still has, and what shows it; `null` when it has none. */
	kept: { record: RecordId | null; onShow: () => void } | null;
}

/**
 * The newest result of the operation, in the line of the page's description. Until it is read, its place is kept: a form
 * that moved down when it came would take a click for another control.
 */
export function LastResult({ operation, site, kept }: LastResultProps) {
	const { t } = useTranslation(["run", "common"]);
	const { go } = useNavigation();
	const entry = useLastEntry(operation, site);
	const ended = (outcome: string, at: number) => t("last.ended", { outcome, at: formatTime(at) });
	if (entry === undefined && !kept) {
		return (
			<Text span inherit aria-hidden className={`${classes.last} ${classes.place}`}>
				{ended(t("common:outcome.succeeded"), 0)} {t("last.show")}
			</Text>
		);
	}
	if (!entry && !kept) return <span className={classes.last}>{t("last.never")}</span>;
	const isKept = kept !== null && (!entry || kept.record === entry.id);
	return (
		<Text span inherit role="group" aria-label={t("last.label")} className={classes.last ?? ""}>
			{entry ? <OutcomeIcon outcome={entry.outcome} isAtFirstLine /> : null}{" "}
			{entry ? ended(t(`common:outcome.${entry.outcome}`), entry.endedAt ?? entry.startedAt) : t("last.kept")}{" "}
			<Anchor
				component="button"
				type="button"
				inherit
				onClick={() => (isKept ? kept.onShow() : entry && go({ page: "history", record: entry.id }))}
			>
				{t("last.show")}
			</Anchor>
		</Text>
	);
}
