import { Button, Group, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, UnreachedPortalView } from "@/bridge";
import { Notice } from "@/components/notice";
import { Appearing, Distrusted } from "./nothing-found";
import { useOutcomeWords } from "./outcome-text";

interface UnreachedPortalProps {
	portal: UnreachedPortalView;
	onTrust: (certificate: CertificateProblem) => void;
	onRetry: () => void;
	onAlone: () => void;
}

/** Federated server whose portal did not respond: the reason, and the decision before it is added. */
export function UnreachedPortal({ portal, onTrust, onRetry, onAlone }: UnreachedPortalProps) {
	const { t } = useTranslation(["sites", "problems", "common"]);
	const words = useOutcomeWords();
	const { server, address, outcome } = portal;
	const certificate = outcome.kind === "distrusted" ? outcome.certificate : null;
	return (
		<Appearing>
			<Notice tone="failed" icon={IconPlugConnectedX} title={t("unreachedPortal.title")}>
				<Text mod="anywhere">{t("unreachedPortal.what", { server, portal: address })}</Text>
				<Text mod="anywhere">{t("unreachedPortal.response", { portal: address, outcome: words(outcome) })}</Text>
				<Text>{t(certificate ? "unreachedPortal.doTrust" : "unreachedPortal.do")}</Text>
				<Text>{t("unreachedPortal.aloneMeans")}</Text>
				<Group gap="xs">
					<Button variant="filled" onClick={onRetry}>
						{t("common:action.retry")}
					</Button>
					<Button onClick={onAlone}>{t("unreachedPortal.alone")}</Button>
				</Group>
			</Notice>
			{certificate ? <Distrusted certificate={certificate} onTrust={onTrust} /> : null}
		</Appearing>
	);
}
