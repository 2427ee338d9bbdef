import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, SiteId } from "@/bridge";
import { useProblemSummary } from "@/lib/problem-text";
import { useCommand } from "@/lib/use-command";
import { CommandButton } from "./command-button";

interface TrustButtonProps {
	site: SiteId;
	certificate: CertificateProblem;
	onTrusted?: (() => void) | undefined;
}

/** Button that trusts one certificate for one address of the site. */
export function TrustButton({ site, certificate, onTrusted }: TrustButtonProps) {
	const { t } = useTranslation(["problems", "common"]);
	const textOf = useProblemSummary();
	const { origin, fingerprint, server } = certificate;
	const trust = useCommand(
		async (backend) => {
			await backend.trustCertificate(site, { origin: origin ?? "", fingerprint });
			notifications.show({
				message: t("certificate.trusted", { server }),
				closeButtonProps: { "aria-label": t("common:action.close") },
			});
		},
		(stale) => stale("trustCertificate", site),
		{ onDone: () => onTrusted?.() },
	);
	useEffect(
		() => () => {
			// The button is removed with its card. Without a dialog, no element has the focus then.
			if (document.activeElement === document.body && !document.querySelector("[aria-modal=true]")) {
				document.getElementById("content")?.focus({ preventScroll: true });
			}
		},
		[],
	);
	return (
		<>
			<CommandButton command={trust} label={t("certificate.trust")} color="red" variant="outline" />
			{trust.error ? <Text role="alert">{textOf(trust.error)}</Text> : null}
		</>
	);
}
