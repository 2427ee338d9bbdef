import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { type CertificateProblem, type SiteId, useBackend } from "@/bridge";
import { useProblemSummary } from "@/lib/problem-text";
import { useStale } from "@/lib/stale";

interface TrustButtonProps {
	site: SiteId;
	certificate: CertificateProblem;
	onTrusted?: (() => void) | undefined;
}

/** Button that trusts one certificate for one address of the site. */
export function TrustButton({ site, certificate, onTrusted }: TrustButtonProps) {
	const { t } = useTranslation(["problems", "common"]);
	const backend = useBackend();
	const stale = useStale();
	const textOf = useProblemSummary();
	const trust = useMutation({
		mutationFn: () =>
			backend.trustCertificate(site, { origin: certificate.origin ?? "", fingerprint: certificate.fingerprint }),
		onSuccess: async () => {
			notifications.show({
				message: t("certificate.trusted", { server: certificate.server }),
				closeButtonProps: { "aria-label": t("common:action.close") },
			});
			await stale("trustCertificate", site);
			onTrusted?.();
		},
	});
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
