import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Rehearsal } from "@/bridge";
import { OutcomeIcon } from "@/components/outcome";
import { useNavigation } from "@/lib/navigation";
import { useRehearsedText } from "@/lib/recoverable-text";

/** When and how a rehearsal ended, with a link to its receipt. */
export function Rehearsed({ rehearsal }: { rehearsal: Rehearsal | null }) {
	const { t } = useTranslation("sites", { keyPrefix: "recoverable" });
	const textOf = useRehearsedText();
	const { go } = useNavigation();
	if (rehearsal === null) return t("neverRehearsed");
	const { outcome, site, record } = rehearsal;
	return (
		<>
			<OutcomeIcon outcome={outcome} isAtFirstLine /> {textOf(rehearsal)}{" "}
			<Anchor component="button" type="button" size="sm" onClick={() => go({ page: "receipt", site, record })}>
				{t("showReceipt")}
			</Anchor>
		</>
	);
}
