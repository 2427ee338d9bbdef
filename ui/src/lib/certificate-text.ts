import type { TFunction } from "i18next";
import type { CertificateProblem, CertificateReason } from "@/bridge";
import { formatDay } from "./format";

/** Whether a user can accept the certificate: it belongs to the site, and its issuer has not revoked it. */
export function canBeTrusted(certificate: CertificateProblem): boolean {
	return certificate.origin !== null && certificate.reason.kind !== "revoked";
}

export function certificateText(t: TFunction<["problems", "common"]>, certificate: CertificateProblem) {
	const { accepted, fingerprint } = { accepted: certificate.acceptedBefore, fingerprint: certificate.fingerprint };
	return {
		title: t("certificate.title", { server: certificate.server }),
		what: [certificate.reason, ...certificate.also].map((reason) => distrustText(t, reason)).join(" "),
		quote: null,
		items: [
			t("certificate.for", { subject: certificate.subject, issuer: certificate.issuer }),
			t("certificate.valid", {
				from: formatDay(Date.parse(certificate.notBefore)),
				until: formatDay(Date.parse(certificate.notAfter)),
			}),
			t("certificate.fingerprint", { fingerprint }),
			...(accepted ? [t("certificate.changed", { before: accepted })] : []),
		],
		advice: canBeTrusted(certificate) ? t("certificate.do") : t("certificate.doNot"),
	};
}

/** Returns in one sentence why a certificate is not trusted. */
export function distrustText(t: TFunction<["problems", "common"]>, reason: CertificateReason): string {
	switch (reason.kind) {
		case "wrongHost":
			return t("certificate.reason.wrongHost", { asked: reason.asked });
		default:
			return t(`certificate.reason.${reason.kind}`);
	}
}
