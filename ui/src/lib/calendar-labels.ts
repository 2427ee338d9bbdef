import { useTranslation } from "react-i18next";
import { hoursOfClock } from "./format";

export function useCalendarLabels() {
	const { t } = useTranslation("history", { keyPrefix: "calendar" });
	return {
		nextMonth: t("nextMonth"),
		previousMonth: t("previousMonth"),
		nextYear: t("nextYear"),
		previousYear: t("previousYear"),
		nextDecade: t("nextDecade"),
		previousDecade: t("previousDecade"),
		monthLevelControl: t("chooseMonth"),
		yearLevelControl: t("chooseYear"),
	};
}

/** Returns props of a calendar with a clock. The clock has 12 or 24 hours, like the field. */
export function useClockBelow() {
	const { t } = useTranslation("history", { keyPrefix: "calendar" });
	const clock = { hoursInputLabel: t("hours"), minutesInputLabel: t("minutes"), amPmInputLabel: t("half") };
	return {
		ariaLabels: useCalendarLabels(),
		timePickerProps: { ...clock, format: hoursOfClock() },
		submitButtonProps: { "aria-label": t("apply") },
	};
}
