import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OperationKey, Outcome, RecordId, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useLastEntry } from "@/lib/queries/history";
import classes from "./last-result.module.css";
import { OutcomeIcon } from "./outcome";
import { LinkButton } from "./text";

interface LastResultProps {
	operation: OperationKey;
	site: SiteView;
	/** Result that the page still has; `null` if there is none. */
	kept: { record: RecordId | null; onShow: () => void } | null;
}

/** Outcomes that the last result can have. The room for the longest is kept. */
const outcomes: readonly Outcome[] = ["succeeded", "warnings", "failed", "unknown", "notSent"];

/**
 * Last result of the operation, after the description of the page. Its room is the same before and after it is read, so
 * that the form does not move while the user clicks.
 */
export function LastResult({ operation, site, kept }: LastResultProps) {
	const { t } = useTranslation(["run", "common"]);
	const { go } = useNavigation();
	const entry = useLastEntry(operation, site);
	const ended = (outcome: Outcome, at: number) => (
		<>
			<OutcomeIcon outcome={outcome} isAtFirstLine />{" "}
			{t("last.ended", { outcome: t(`common:outcome.${outcome}`), at: formatTime(at) })}
		</>
	);
	const isKept = kept !== null && (!entry || kept.record === entry.id);
	return (
		<span className={classes.last}>
			{!entry && !kept ? (
				entry === null && <span>{t("last.never")}</span>
			) : (
				<Text span inherit role="group" aria-label={t("last.label")}>
					{entry ? ended(entry.outcome, entry.endedAt ?? entry.startedAt) : t("last.kept")}{" "}
					<LinkButton
						inherit
						onClick={() => (isKept ? kept.onShow() : entry && go({ page: "history", record: entry.id }))}
					>
						{t("last.show")}
					</LinkButton>
				</Text>
			)}
			{outcomes.map((outcome) => (
				<span key={outcome} aria-hidden className={classes.room}>
					{ended(outcome, 0)} {t("last.show")}
				</span>
			))}
		</span>
	);
}
