import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, FoundView, OutcomeView, Problem, Stage, UnreachedPortalView } from "@/bridge";
import { Notice, ProblemNotice, TrustCard } from "@/components/notice";
import { canBeTrusted } from "@/lib/certificate-text";
import { useOutcomeWords } from "./fell-back";

interface NothingFoundProps {
	found: FoundView;
	onTrust: (certificate: CertificateProblem) => void;
	onRetry: () => void;
}

/** Why no site was found, and what to do. */
export function NothingFound({ found, onTrust, onRetry }: NothingFoundProps) {
	const { t } = useTranslation(["sites", "common"]);
	const outcomes = found.traces.map(({ outcome }) => outcome);
	const distrusted = certificatesOf(outcomes);
	const problem = outcomes.map(problemOf).find((one) => one !== null);
	const why = reasonOf(outcomes);
	return (
		<Appearing>
			{distrusted.map((certificate) => (
				<Distrusted
					key={`${certificate.origin} ${certificate.fingerprint}`}
					certificate={certificate}
					onTrust={onTrust}
					onRetry={onRetry}
				/>
			))}
			{distrusted.length === 0 && problem ? <ProblemNotice problem={problem} onRetry={onRetry} /> : null}
			{distrusted.length === 0 && !problem ? (
				<Notice tone="failed" icon={IconPlugConnectedX} title={t(`notFound.${why}.title`)}>
					<Text>{t(`notFound.${why}.what`)}</Text>
					<Text>{t(`notFound.${why}.do`)}</Text>
					<Group>
						<Button onClick={onRetry}>{t("common:action.retry")}</Button>
					</Group>
				</Notice>
			) : null}
		</Appearing>
	);
}

/** Takes the focus when it is mounted: again for each response, because nothing is shown while a request is running. */
export function Appearing({ children }: { children: ReactNode }) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => ref.current?.focus({ preventScroll: true }), []);
	return (
		<Stack ref={ref} tabIndex={-1} style={{ outline: "none" }}>
			{children}
		</Stack>
	);
}

interface DistrustedProps {
	certificate: CertificateProblem;
	onTrust: (certificate: CertificateProblem) => void;
	/** Omitted if a button for it is shown elsewhere. */
	onRetry?: () => void;
}

/** Rejected certificate, which the user can trust for the site that is being added. */
export function Distrusted({ certificate, onTrust, onRetry }: DistrustedProps) {
	const { t } = useTranslation(["problems", "common"]);
	const actions = (
		<>
			{canBeTrusted(certificate) ? (
				<Button color="red" variant="outline" onClick={() => onTrust(certificate)}>
					{t("certificate.trust")}
				</Button>
			) : null}
			{onRetry ? <Button onClick={onRetry}>{t("common:action.retry")}</Button> : null}
		</>
	);
	return <TrustCard certificate={certificate} actions={actions} />;
}

/** Returns the problem of an outcome whose texts name what the proxy or server lacks; otherwise `null`. */
function problemOf(outcome: OutcomeView): Problem | null {
	if (outcome.kind === "proxyRefused") return outcome;
	if (outcome.kind !== "unreachable") return null;
	const { stage, reason } = outcome;
	const isNamed = stage === "tlsVersions" || stage === "tlsSuites" || stage === "lateCertificate";
	return isNamed ? { kind: "unreachable", stage, message: reason } : null;
}

/** Returns each certificate once, although several URLs can return it. */
function certificatesOf(outcomes: readonly OutcomeView[]): CertificateProblem[] {
	const all = outcomes.flatMap((outcome) => (outcome.kind === "distrusted" ? [outcome.certificate] : []));
	return [...new Map(all.map((one) => [`${one.origin} ${one.fingerprint}`, one])).values()];
}

export type Reason = "webAdaptor" | "rejected" | "page" | "read" | "slow" | "lost" | "send" | "tls" | "unreachable";

/** Returns the reason closest to a successful response, which is the most informative. */
export function reasonOf(outcomes: readonly OutcomeView[]): Reason {
	const has = (is: (outcome: OutcomeView) => boolean) => outcomes.some(is);
	if (has((one) => one.kind === "atTheDoor")) return "webAdaptor";
	if (has((one) => one.kind === "rejected")) return "rejected";
	if (has((one) => one.kind === "somethingElse" || one.kind === "redirected")) return "page";
	const reached = (stage: Stage) => has((one) => one.kind === "unreachable" && one.stage === stage);
	if (reached("read")) return "read";
	if (reached("wait")) return "slow";
	if (reached("lost")) return "lost";
	if (reached("send")) return "send";
	return reached("tls") ? "tls" : "unreachable";
}

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
