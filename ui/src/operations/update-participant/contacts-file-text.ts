import { useTranslation } from "react-i18next";
import type { ContactsFileError, RowVerdict } from "@/bridge";
import { formatList, formatNumber } from "@/lib/format";

/** Returns a function that explains why a row is not sent; `null` for a row that is. */
export function useVerdictText(): (verdict: RowVerdict) => string | null {
	const { t } = useTranslation(["updateParticipant", "common"]);
	return (verdict) => {
		switch (verdict.kind) {
			case "changes":
				return null;
			case "repeated":
				return t("row.repeated", { lines: formatList(verdict.lines.map(formatNumber)) });
			case "faulty": {
				const field = verdict.field as "contactFirstname" | "contactLastname" | "contactEmailAddress";
				return t("row.faulty", { field: t(field), fault: t(`common:fault.${verdict.fault}`) });
			}
			case "hostedElsewhere":
				return t("hostedElsewhere", { portal: verdict.portal });
			default:
				return t(`row.${verdict.kind}`);
		}
	};
}

/** Returns a function that explains why a contacts file cannot be read, and what to do. */
export function useContactsFileFaultText(): (fault: ContactsFileError) => { what: string; advice: string } {
	const { t } = useTranslation("updateParticipant");
	return (fault) => ({
		what:
			fault.kind === "repeatedColumn"
				? t("fileFault.repeatedColumn.what", { column: fault.column })
				: t(`fileFault.${fault.kind}.what`),
		advice: t(`fileFault.${fault.kind}.do`),
	});
}
