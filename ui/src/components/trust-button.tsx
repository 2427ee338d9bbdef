import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CertificateView, type SiteId, useBackend } from "@/bridge";
import { queryKeys } from "@/lib/queries";

interface TrustButtonProps {
	site: SiteId;
	certificate: CertificateView;
	onTrusted?: (() => void) | undefined;
}

/** Trusts this one certificate, for this one address of the site. */
export function TrustButton({ site, certificate, onTrusted }: TrustButtonProps) {
	const { t } = useTranslation("problems");
	const backend = useBackend();
	const queries = useQueryClient();
	const trust = useMutation({
		mutationFn: () =>
			backend.trustCertificate(site, { origin: certificate.origin ?? "", fingerprint: certificate.fingerprint }),
		onSuccess: async () => {
			await queries.invalidateQueries({ queryKey: queryKeys.sites });
			void queries.invalidateQueries({ queryKey: ["site", site] });
			onTrusted?.();
		},
	});
	return (
		<Button size="xs" color="red" variant="outline" loading={trust.isPending} onClick={() => trust.mutate()}>
			{t("certificate.trust")}
		</Button>
	);
}
