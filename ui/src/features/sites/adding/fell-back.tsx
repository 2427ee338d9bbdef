import { IconArrowBackUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { FellBackView } from "@/bridge";
import { Notice } from "@/components/notice";
import { useOutcomeWords } from "./outcome-text";

/** Why another URL is used than the one that was found first. */
export function FellBack({ fellBack }: { fellBack: FellBackView }) {
	const { t } = useTranslation("sites");
	const words = useOutcomeWords();
	const outcome = words(fellBack.outcome);
	return (
		<Notice
			tone="warnings"
			icon={IconArrowBackUp}
			role="status"
			title={t("found.fellBack", { address: fellBack.from, outcome })}
		/>
	);
}
