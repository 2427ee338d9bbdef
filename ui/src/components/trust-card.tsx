import { Code, Group, List, SimpleGrid, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCertificate } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, SiteId } from "@/bridge";
import { canBeTrusted, distrustText } from "@/lib/certificate-text";
import { formatDay, formatList } from "@/lib/format";
import { useProblemSummary } from "@/lib/problem-text";
import { useCommand } from "@/lib/use-command";
import { CommandButton } from "./command-button";
import { CopyField } from "./copy-field";
import { Foldable } from "./foldable";
import { Notice } from "./notice";
import { Small } from "./text";

interface TrustCardProps {
	certificate: CertificateProblem;
	actions?: ReactNode;
}

/** Rejected certificate: the reason, its details, and what trusting it means. */
export function TrustCard({ certificate, actions }: TrustCardProps) {
	const { t } = useTranslation(["problems", "common"]);
	const advice = !canBeTrusted(certificate)
		? t("certificate.doNot")
		: certificate.reason.kind === "caAsEndEntity"
			? t("certificate.doAuthority", { origin: certificate.origin })
			: t("certificate.doFor", { origin: certificate.origin });
	const facts: [string, string][] = [
		[t("certificate.fact.subject"), certificate.subject],
		[t("certificate.fact.issuer"), certificate.issuer],
		[t("certificate.fact.names"), formatList(certificate.names) || t("certificate.fact.noNames")],
		[
			t("certificate.fact.valid"),
			t("certificate.fact.validBetween", {
				from: formatDay(Date.parse(certificate.notBefore)),
				until: formatDay(Date.parse(certificate.notAfter)),
			}),
		],
	];
	const reasons = [certificate.reason, ...certificate.also];
	const others = reasons.flatMap((reason) => (reason.kind === "other" ? [reason.text] : []));
	return (
		<Notice tone="failed" icon={IconCertificate} title={t("certificate.title", { server: certificate.server })}>
			<Stack gap={2}>
				{reasons.map((reason) => (
					<Text key={reason.kind}>{distrustText(t, reason)}</Text>
				))}
			</Stack>
			<SimpleGrid component="dl" type="container" cols={{ base: 1, "20em": 2 }} spacing="md" verticalSpacing="xs" m={0}>
				{facts.map(([name, value]) => (
					<div key={name}>
						<Small component="dt">{name}</Small>
						<Text component="dd" m={0} mod="anywhere">
							{value}
						</Text>
					</div>
				))}
			</SimpleGrid>
			<CopyField
				label={t("certificate.fact.fingerprint")}
				value={certificate.fingerprint}
				copyLabel={t("certificate.fact.copyFingerprint")}
			/>
			{certificate.acceptedBefore ? (
				<Text mod="anywhere">{t("certificate.changed", { before: certificate.acceptedBefore })}</Text>
			) : null}
			<Text>{advice}</Text>
			{actions ? <Group gap="xs">{actions}</Group> : null}
			{others.length > 0 ? (
				<Foldable title={t("common:action.details")}>
					<Code block mod="anywhere" style={{ whiteSpace: "pre-wrap" }}>
						{others.join("\n")}
					</Code>
				</Foldable>
			) : null}
			{certificate.chain.length > 0 ? (
				<Foldable title={t("certificate.chain", { count: certificate.chain.length })}>
					<List type="ordered">
						{certificate.chain.map(({ subject, fingerprint }) => (
							<List.Item key={fingerprint} mod="anywhere">
								{subject}
								<Small ff="monospace">{fingerprint}</Small>
							</List.Item>
						))}
					</List>
				</Foldable>
			) : null}
		</Notice>
	);
}

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
