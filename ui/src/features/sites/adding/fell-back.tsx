import { IconArrowBackUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { FellBackView, OutcomeView } from "@/bridge";
import { Notice } from "@/components/notice";
import { distrustText } from "@/lib/problem-text";

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

/** Returns a function that describes the outcome of a request in one sentence. */
export function useOutcomeWords(): (outcome: OutcomeView) => string {
	const { t } = useTranslation("sites");
	const { t: problems } = useTranslation(["problems", "common"]);
	return (outcome) => {
		switch (outcome.kind) {
			case "answered":
				return t(outcome.version ? "outcome.answeredVersion" : "outcome.answered", { version: outcome.version });
			case "rejected":
				if (outcome.message === "") {
					return outcome.code === null
						? t("outcome.rejectedPlain")
						: t("outcome.rejectedNoMessage", { code: outcome.code });
				}
				return outcome.code === null
					? t("outcome.rejectedNoCode", { message: outcome.message })
					: t("outcome.rejected", { code: outcome.code, message: outcome.message });
			case "atTheDoor":
				return t("outcome.webAdaptor", { challenge: outcome.challenge });
			case "redirected":
				return outcome.to ? t("outcome.redirected", { to: outcome.to }) : t("outcome.redirectedNowhere");
			case "distrusted":
				return t("outcome.distrusted", { why: distrustText(problems, outcome.certificate.reason) });
			case "proxyRefused":
				return outcome.refusal.status === null
					? t("outcome.proxySilent", { proxy: outcome.refusal.proxy })
					: t("outcome.proxyRefused", { proxy: outcome.refusal.proxy, status: outcome.refusal.status });
			case "unreachable":
				return t(`outcome.unreachable.${outcome.stage}`);
			default:
				return t(`outcome.${outcome.kind}`, { ...outcome });
		}
	};
}
