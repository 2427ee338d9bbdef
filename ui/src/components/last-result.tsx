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
	/** Result that the page still has; `null` if there is none. */
	kept: { record: RecordId | null; onShow: () => void } | null;
}

/**
 * Last result of the operation, after the description of the page. Its space is reserved until it is read, so that the
 * form does not move while the user clicks.
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
