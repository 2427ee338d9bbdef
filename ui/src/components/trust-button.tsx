import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, SiteId } from "@/bridge";
import { useProblemSummary } from "@/lib/problem-text";
import { useCommand } from "@/lib/use-command";

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
			<Button color="red" variant="outline" loading={trust.isPending} onClick={() => trust.mutate()}>
				{t("certificate.trust")}
			</Button>
			{trust.error ? <Text role="alert">{textOf(trust.error)}</Text> : null}
		</>
	);
}
