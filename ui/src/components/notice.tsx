import {
	Box,
	Button,
	Code,
	Group,
	List,
	Paper,
	SimpleGrid,
	Skeleton,
	Stack,
	Text,
	VisuallyHidden,
} from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import {
	IconAlertTriangle,
	IconCertificate,
	IconCircleCheck,
	IconCircleX,
	IconInfoCircle,
	IconPlayerPause,
	type IconProps,
} from "@tabler/icons-react";
import { type ComponentType, type CSSProperties, type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, Outcome, Problem, SiteId, SiteView } from "@/bridge";
import { CopyButton, CopyField } from "@/components/copy-field";
import { formatDay, formatList } from "@/lib/format";
import { useIsAskedAbove, useNavigation, useSignInRequest } from "@/lib/navigation";
import { canBeTrusted, distrustText, useProblemSummary, useProblemText } from "@/lib/problem-text";
import { useCommand } from "@/lib/use-command";
import { Foldable } from "./foldable";
import classes from "./notice.module.css";
import { HelpLink } from "./page";
import { IconButton, type IconButtonProps, Lines, LongText, Small } from "./text";

export type Tone = "succeeded" | "warnings" | "failed" | "unknown" | "notSent";

const icons: Record<Tone, ComponentType<IconProps>> = {
	succeeded: IconCircleCheck,
	warnings: IconAlertTriangle,
	failed: IconCircleX,
	unknown: IconInfoCircle,
	notSent: IconPlayerPause,
};

interface NoticeProps {
	tone: Tone;
	/** Replaces the icon of the tone. */
	icon?: ComponentType<IconProps>;
	title: ReactNode;
	/** Paragraph below the title. */
	text?: ReactNode;
	/** `alert` interrupts a screen reader, `status` waits for a pause. Default: `alert` for failures. */
	role?: "alert" | "status";
	children?: ReactNode;
}

export function Notice(props: NoticeProps) {
	const {
		tone,
		icon: Icon = icons[tone],
		title,
		text,
		role = tone === "failed" ? "alert" : "status",
		children,
	} = props;
	const titleId = useId();
	const style = { "--notice-tone": `var(--tone-${tone})` } as CSSProperties;
	return (
		<Paper withBorder px="sm" py={10} role={role} aria-labelledby={titleId} className={classes.notice} style={style}>
			<Group align="flex-start" wrap="nowrap" gap="sm">
				<Icon className={classes.icon} size={18} aria-hidden />
				<Stack gap="xs" flex={1} miw={0}>
					<Box id={titleId}>{typeof title === "string" ? <Text fw={600}>{title}</Text> : title}</Box>
					{text ? <Text>{text}</Text> : null}
					{children}
				</Stack>
			</Group>
		</Paper>
	);
}

const rowNames = Array.from({ length: 20 }, (_, row) => `row-${row}`);

/**
 * Placeholder for a list, shown after 300 ms so that quick responses do not flicker. Not animated: without a graphics
 * card, the animation delayed a page on a busy computer by up to eight seconds.
 */
export function LoadingRows({ rows = 4, height = 36 }: { rows?: number; height?: number }) {
	const { t } = useTranslation();
	const [visible, setVisible] = useState(false);
	useTimeout(() => setVisible(true), 300, { autoInvoke: true });
	return (
		<Stack gap="xs" role="status" aria-busy="true" mih={height}>
			<VisuallyHidden>{t("loading")}</VisuallyHidden>
			{visible ? rowNames.slice(0, rows).map((name) => <Skeleton key={name} height={height} animate={false} />) : null}
		</Stack>
	);
}

interface ShownProblemProps {
	problem: Problem;
	onRetry?: (() => void) | undefined;
	/** Called when the certificate was trusted. Default: `onRetry`. */
	onTrusted?: (() => void) | undefined;
	outcome?: Outcome | null | undefined;
	advice?: string | undefined;
	/** Site of the request. If it cannot be reached, its address is shown with a button to edit it. */
	site?: SiteView | undefined;
}

interface ProblemNoticeProps extends Omit<ShownProblemProps, "problem"> {
	problem: Problem | null | undefined;
}

/** Problem with its effect, cause, and advice. Details can be expanded and copied. Renders nothing without a problem. */
export function ProblemNotice({ problem, ...about }: ProblemNoticeProps) {
	return problem ? <ShownProblem problem={problem} {...about} /> : null;
}

function ShownProblem({ problem, onRetry, onTrusted = onRetry, outcome = null, advice, site }: ShownProblemProps) {
	const { t } = useTranslation(["common", "problems", "sites"]);
	const { go } = useNavigation();
	const words = useProblemText(problem, outcome);
	const askToSignIn = useSignInRequest();
	const cause = problem.kind === "webhooksWereInactive" ? problem.cause : problem;
	const isAskedAbove = useIsAskedAbove(cause);
	const details = JSON.stringify(problem, null, 2);
	const unreached = problem.kind === "unreachable" ? site : undefined;
	if (problem.kind === "certificate") {
		return <Distrusted problem={problem} onRetry={onRetry} onTrusted={onTrusted} />;
	}
	const hasReason = problem.kind === "signIn" && Boolean(problem.elsewhere);
	// The page already requests the sign-in. The notice is shown anyway if it has an effect or a reason to report.
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
				<HelpLink topic="problems" problem={problem.kind} about={words.title} />
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

function Distrusted({
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
	const confirm = useCommand((backend) => backend.confirmAddress(site, address), ["confirmAddress"], {
		onDone: () => onConfirmed?.(),
	});
	if (confirm.isSuccess) {
		return (
			<Text fw={600} role="status">
				{t("unconfirmedAddress.confirmed", { host })}
			</Text>
		);
	}
	return (
		<>
			<ProblemNotice problem={confirm.error} />
			<CommandButton
				command={confirm}
				label={t("unconfirmedAddress.confirm", { host })}
				w="fit-content"
				color="red"
				variant="outline"
			/>
		</>
	);
}

const quoteStyle = {
	borderInlineStart: "2px solid var(--mantine-color-default-border)",
	whiteSpace: "pre-wrap",
} as const;

/** Rejected certificate: the reason, its details, and what trusting it means. */
export function TrustCard({ certificate, actions }: { certificate: CertificateProblem; actions?: ReactNode }) {
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
function TrustButton({ site, certificate, onTrusted }: TrustButtonProps) {
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
		["trustCertificate", site],
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

interface CommandButtonProps extends Omit<IconButtonProps, "loading" | "onClick"> {
	command: { isPending: boolean; mutate: () => void };
}

/** Button that sends a command. */
export function CommandButton({ command, ...button }: CommandButtonProps) {
	return <IconButton loading={command.isPending} onClick={() => command.mutate()} {...button} />;
}
