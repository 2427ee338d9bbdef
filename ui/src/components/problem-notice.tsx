import { Box, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Outcome, Problem, SiteId, SiteView } from "@/bridge";
import { canBeTrusted } from "@/lib/certificate-text";
import { topicOfProblem } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";
import { useProblemText } from "@/lib/problem-text";
import { useIsAskedAbove, useSignInRequest } from "@/lib/sign-in-request";
import { useCommand } from "@/lib/use-command";
import { CopyButton } from "./copy-button";
import { CopyField } from "./copy-field";
import { Foldable } from "./foldable";
import { HelpLink } from "./help-link";
import { LongText } from "./long-text";
import { Notice } from "./notice";
import { Lines } from "./text";
import { TrustButton } from "./trust-button";
import { TrustCard } from "./trust-card";

interface ProblemNoticeProps {
	problem: Problem;
	onRetry?: (() => void) | undefined;
	/** Called when the certificate was trusted. Default: `onRetry`. */
	onTrusted?: (() => void) | undefined;
	outcome?: Outcome | null | undefined;
	advice?: string | undefined;
	/** Site of the request. If it cannot be reached, its address is shown with a button to edit it. */
	site?: SiteView | undefined;
}

/** Problem with its effect, cause, and advice. Details can be expanded and copied. */
export function ProblemNotice({
	problem,
	onRetry,
	onTrusted = onRetry,
	outcome = null,
	advice,
	site,
}: ProblemNoticeProps) {
	const { t } = useTranslation(["common", "problems", "sites"]);
	const { go } = useNavigation();
	const words = useProblemText(problem, outcome);
	const askToSignIn = useSignInRequest();
	const cause = problem.kind === "webhooksWereInactive" ? problem.cause : problem;
	const isAskedAbove = useIsAskedAbove(cause);
	const details = JSON.stringify(problem, null, 2);
	const unreached = problem.kind === "unreachable" ? site : undefined;
	if (problem.kind === "certificate") {
		return <CertificateProblem problem={problem} onRetry={onRetry} onTrusted={onTrusted} />;
	}
	const hasReason = problem.kind === "signIn" && Boolean(problem.elsewhere);
	// What is above already requests the sign-in, unless there is an effect or a reason to report.
	if (isAskedAbove && cause === problem && !words.effect && !hasReason) return null;
	return (
		<Notice tone="failed" title={words.title}>
			<Stack gap="xs">
				{words.effect ? <Text>{words.effect}</Text> : null}
				{words.what ? <Text>{words.what}</Text> : null}
				{words.quote ? (
					<LongText length={words.quote.length} label={words.title}>
						<Text component="blockquote" m={0} ps="sm" mod="anywhere" style={quoteStyle}>
							{words.quote}
						</Text>
					</LongText>
				) : null}
				{words.items.length > 0 ? (
					<LongText length={words.items.join().length} label={t("action.details")}>
						<Lines lines={words.items} />
					</LongText>
				) : null}
				<Text>{advice ?? words.advice}</Text>
				{unreached ? <CopyField label={t("problems:unreachable.address")} value={addressOf(unreached)} /> : null}
			</Stack>
			{problem.kind === "unconfirmedAddress" && problem.site !== ""
				? problem.addresses.map((address) => (
						<ConfirmAddress key={address} site={problem.site} address={address} onConfirmed={onRetry} />
					))
				: null}
			<Group gap="xs">
				{cause.kind === "signIn" && !isAskedAbove ? (
					<Button variant="filled" onClick={() => askToSignIn(cause.site, cause.server)}>
						{t("action.signIn")}
					</Button>
				) : null}
				{onRetry ? <Button onClick={onRetry}>{t("action.retry")}</Button> : null}
				{unreached ? (
					<Button onClick={() => go({ page: "edit-site", site: unreached.id })}>{t("sites:overview.edit")}</Button>
				) : null}
				<HelpLink topic={topicOfProblem(problem.kind)} about={words.title} />
			</Group>
			<Foldable title={t("action.details")}>
				<Stack gap="xs" align="flex-start">
					<Box w="100%">
						<LongText length={details.length} label={t("action.details")}>
							<Code block mod="anywhere" style={{ whiteSpace: "pre-wrap" }}>
								{details}
							</Code>
						</LongText>
					</Box>
					<CopyButton value={details} label={t("action.copyDetails")} />
				</Stack>
			</Foldable>
		</Notice>
	);
}

const addressOf = ({ portal, server }: SiteView) => portal ?? server ?? "";

function CertificateProblem({
	problem: { site, certificate },
	onRetry,
	onTrusted,
}: {
	problem: Extract<Problem, { kind: "certificate" }>;
	onRetry: (() => void) | undefined;
	onTrusted: (() => void) | undefined;
}) {
	const { t } = useTranslation();
	return (
		<TrustCard
			certificate={certificate}
			actions={
				<>
					{/* A site that is being added cannot store a trusted certificate yet. */}
					{site !== "" && canBeTrusted(certificate) ? (
						<TrustButton site={site} certificate={certificate} onTrusted={onTrusted} />
					) : null}
					{onRetry ? <Button onClick={onRetry}>{t("action.retry")}</Button> : null}
				</>
			}
		/>
	);
}

interface ConfirmAddressProps {
	site: SiteId;
	address: string;
	onConfirmed?: (() => void) | undefined;
}

/** Button that confirms that an address belongs to the site. The rejected request is repeated only by `onConfirmed`. */
function ConfirmAddress({ site, address, onConfirmed }: ConfirmAddressProps) {
	const { t } = useTranslation("problems");
	const host = URL.parse(address)?.host ?? address;
	const confirm = useCommand(
		(backend) => backend.confirmAddress(site, address),
		(stale) => stale("confirmAddress"),
		{ onDone: () => onConfirmed?.() },
	);
	if (confirm.isSuccess) {
		return (
			<Text fw={600} role="status">
				{t("unconfirmedAddress.confirmed", { host })}
			</Text>
		);
	}
	return (
		<>
			{confirm.error ? <ProblemNotice problem={confirm.error} /> : null}
			<Button
				w="fit-content"
				color="red"
				variant="outline"
				loading={confirm.isPending}
				onClick={() => confirm.mutate()}
			>
				{t("unconfirmedAddress.confirm", { host })}
			</Button>
		</>
	);
}

const quoteStyle = {
	borderInlineStart: "2px solid var(--mantine-color-default-border)",
	whiteSpace: "pre-wrap",
} as const;
