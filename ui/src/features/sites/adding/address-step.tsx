import { Button, Group, Loader, Stack, Table, Text, TextInput, Title, VisuallyHidden } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlugConnectedX, IconSearch } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import {
	type CertificateProblem,
	type DiscoveryAttemptView,
	type FellBackView,
	type FoundSiteView,
	type FoundView,
	type OutcomeView,
	type Problem,
	type ServerForm,
	type SiteForm,
	type Stage,
	type UnreachedPortalView,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { Notice, ProblemNotice, TrustCard } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { IconButton, LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { faultText, labelled, useFormFaults } from "@/lib/drafts";
import { hostAndPortOf, hostOf } from "@/lib/format";
import { canBeTrusted } from "@/lib/problem-text";
import { keptBriefly } from "@/lib/use-command";
import { joined } from "@/messages/isolated";
import { ConnectionFields, PortalFields, ServerFields } from "../fields/server-fields";
import { FellBack, useOutcomeWords } from "./fell-back";

interface AddressStepProps {
	form: UseFormReturnType<SiteForm>;
	pasted: string;
	onPasted: (pasted: string) => void;
	found: FoundView | null;
	onFound: (found: FoundView) => void;
	/** Whether a federated server is added without its portal, which did not respond. */
	alone: boolean;
	onAlone: () => void;
	byHand: boolean;
	onByHand: () => void;
}

/** First step: a URL of the site, and what was found there. */
export function AddressStep(props: AddressStepProps) {
	const { form, pasted, onPasted, found, onFound, alone, onAlone, byHand, onByHand } = props;
	const { t } = useTranslation("sites");
	const { t: common } = useTranslation("common");
	const backend = useBackend();
	const find = useMutation({
		mutationFn: (connection: SiteForm["connection"]) => backend.findSite(null, pasted, connection),
		gcTime: keptBriefly,
	});
	// Passed to `mutate`, so that it is not called after the component has unmounted.
	const look = (connection = form.values.connection) => find.mutate(connection, { onSuccess: onFound });
	const trust = ({ origin, fingerprint }: CertificateProblem) => {
		if (origin === null) return;
		const { connection } = form.values;
		const pins = [...connection.trustedCertificates.filter((pin) => pin.origin !== origin), { origin, fingerprint }];
		form.setFieldValue("connection.trustedCertificates", pins);
		look({ ...connection, trustedCertificates: pins });
	};
	const problem = useFormFaults(find.error, form);
	const looked = find.isPending ? null : found;
	const unreached = looked?.site?.unreachedPortal ?? null;
	const proxyWanted = looked?.traces.some(({ outcome }) => outcome.kind === "proxyRefused") ?? false;
	const connectionWrong = Object.keys(form.errors).some((field) => field.startsWith("connection."));
	return (
		<Stack>
			<SubmitForm
				onSubmit={(event) => {
					event.preventDefault();
					look();
				}}
			>
				<Group align="flex-start" wrap="nowrap" gap="xs">
					<TextInput
						flex={1}
						{...labelled(t, "adding.pasted")}
						inputContainer={(input) => (
							<Group gap="xs" align="flex-end">
								<div style={{ flex: "1 1 12rem" }}>{input}</div>
								<IconButton
									label={t("adding.find")}
									variant="filled"
									size="sm"
									type="submit"
									loading={find.isPending}
									icon={IconSearch}
								/>
							</Group>
						)}
						autoComplete="off"
						data-path="pasted"
						// The user can paste at once.
						autoFocus={pasted === ""}
						value={pasted}
						onChange={(event) => {
							onPasted(event.currentTarget.value);
							if (find.error) find.reset();
						}}
						error={faultText(common, find.error, "pasted")}
					/>
				</Group>
			</SubmitForm>
			<Foldable title={t("connection.title")} wanted={proxyWanted || connectionWrong}>
				<ConnectionFields form={form} />
			</Foldable>
			<VisuallyHidden role="status">{find.isPending ? t("adding.looking") : ""}</VisuallyHidden>
			{find.isPending ? (
				<Group gap="sm">
					<Loader size={18} aria-hidden />
					<Text aria-hidden>{t("adding.looking")}</Text>
					<Button variant="subtle" onClick={() => find.reset()}>
						{t("adding.stopLooking")}
					</Button>
				</Group>
			) : null}
			<ProblemNotice problem={problem} onRetry={() => look()} />
			{looked && !looked.site ? <NothingFound found={looked} onTrust={trust} onRetry={() => look()} /> : null}
			{unreached && alone ? (
				<Text role="status" mod="anywhere">
					{t("unreachedPortal.isAlone", { portal: unreached.address })}
				</Text>
			) : null}
			{unreached && !alone ? (
				<UnreachedPortal portal={unreached} onTrust={trust} onRetry={() => look()} onAlone={onAlone} />
			) : looked?.site || byHand ? (
				<FoundFields form={form} found={looked?.site ?? null} pasted={pasted} />
			) : (
				<Text>
					<LinkButton onClick={onByHand}>{t("adding.byHand")}</LinkButton>
				</Text>
			)}
			{looked && looked.traces.length > 0 ? <Traces traces={looked.traces} /> : null}
		</Stack>
	);
}

/** Requested URLs with their outcome. */
function Traces({ traces }: { traces: readonly DiscoveryAttemptView[] }) {
	const { t } = useTranslation("sites");
	const words = useOutcomeWords();
	return (
		<Foldable title={t("found.traces", { count: traces.length })}>
			<Table withTableBorder verticalSpacing="xs" layout="fixed">
				<Heads of={[[t("found.address"), { w: "55%" }], t("found.answer")]} />
				<Table.Tbody>
					{traces.map(({ address, outcome }, place) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a URL can be requested twice, and the list never changes
						<Table.Tr key={`${address} ${place}`}>
							<Table.Td mod="anywhere">
								<Text size="xs" ff="monospace">
									{address}
								</Text>
							</Table.Td>
							<Table.Td mod="anywhere">
								<Text>{words(outcome)}</Text>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Foldable>
	);
}

interface FoundFieldsProps {
	form: UseFormReturnType<SiteForm>;
	/** `null` if the user enters the URLs by hand. */
	found: FoundSiteView | null;
	/** Entered URL. The site might have been found at another host. */
	pasted: string;
}

/** URLs of the site, each with how it was found. */
function FoundFields({ form, found, pasted }: FoundFieldsProps) {
	const { t } = useTranslation(["sites", "common"]);
	const about = (server: ServerForm) => {
		const one = found?.servers.find(({ form: { address } }) => address === server.address);
		return one ? <How version={one.version} fellBack={one.fellBack} /> : null;
	};
	const hosts = found ? otherHosts(found, pasted) : [];
	return (
		<Stack>
			{found ? (
				<Notice tone="succeeded" title={t(`found.title.${found.deploymentType}`)}>
					<Text>
						{found.portal?.name ? t("found.named", { name: found.portal.name }) : null}{" "}
						{found.servers.length > 0 ? t("found.servers", { count: found.servers.length }) : null}{" "}
						{t("found.override")}
					</Text>
				</Notice>
			) : null}
			{hosts.length > 0 ? (
				<Notice tone="warnings" title={t("found.otherHost")}>
					<Text mod="anywhere">
						{t("found.otherHostCheck", { hosts: joined(hosts, ", "), entered: hostAndPortOf(pasted) })}
					</Text>
				</Notice>
			) : null}
			<Title order={3} size="h5">
				{t("form.portalTitle")}
			</Title>
			<PortalFields
				form={form}
				about={found?.portal ? <How version={found.portal.version} fellBack={found.portal.fellBack} /> : null}
			/>
			<Title order={3} size="h5">
				{t("form.serversTitle")}
			</Title>
			<ServerFields form={form} about={about} none={found?.portal ? t("servers.afterSignIn") : undefined} />
		</Stack>
	);
}

/** Returns the hosts that would receive credentials of the site although the user did not enter them. */
function otherHosts(found: FoundSiteView, pasted: string): string[] {
	const main = found.portal ? [found.portal.address] : found.servers.map(({ form }) => form.address);
	const others = main.filter((address) => hostOf(address) !== "" && hostOf(address) !== hostOf(pasted));
	return [...new Set(others.map(hostAndPortOf))];
}

function How({ version, fellBack }: { version: string | null; fellBack: FellBackView | null }) {
	const { t } = useTranslation("sites");
	return (
		<>
			<Small>{version ? t("found.answeredVersion", { version }) : t("found.answered")}</Small>
			{fellBack ? <FellBack fellBack={fellBack} /> : null}
		</>
	);
}

interface NothingFoundProps {
	found: FoundView;
	onTrust: (certificate: CertificateProblem) => void;
	onRetry: () => void;
}

/** Why no site was found, and what to do. */
function NothingFound({ found, onTrust, onRetry }: NothingFoundProps) {
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
function Appearing({ children }: { children: ReactNode }) {
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
	/** Sends the request again; omitted if the page has another button for that. */
	onRetry?: () => void;
}

/** Rejected certificate, which the user can trust for the site that is being added. */
function Distrusted({ certificate, onTrust, onRetry }: DistrustedProps) {
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

type Reason = "webAdaptor" | "rejected" | "page" | "read" | "slow" | "lost" | "send" | "tls" | "unreachable";

/** Returns the reason of the address that came closest to a successful response: it tells the most. */
function reasonOf(outcomes: readonly OutcomeView[]): Reason {
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
function UnreachedPortal({ portal, onTrust, onRetry, onAlone }: UnreachedPortalProps) {
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
