import { useTranslation } from "react-i18next";
import type { HistoryKey, Key } from "@/bridge";

type Act = Exclude<HistoryKey, Key>;

function isAct(key: HistoryKey): key is Act {
	return key === "unlock" || key === "restore_webhooks";
}

/** The name of what a record is about: one of the seven, or an act of another kind. */
export function useHistoryName(): (key: HistoryKey) => string {
	const { t } = useTranslation("common");
	return (key) => (isAct(key) ? t(`act.${key}`) : t(`operation.${key}.name`));
}
