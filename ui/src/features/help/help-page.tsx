import { Box, Button, Flex, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type Problem } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { Page, pageWidths } from "@/components/page";
import { type HelpTopic, problemKinds, topicOfProblem } from "@/lib/help";
import { useHelpPages } from "@/lib/queries/program";
import type { Language } from "@/messages/i18n";
import { Contents, loadPages } from "./contents";
import { Markdown } from "./markdown";

interface HelpPageProps {
	topic: HelpTopic;
	onTopic: (topic: HelpTopic) => void;
	/** `null` if there is no earlier page. */
	onBack: (() => void) | null;
}

export default function HelpPage({ topic, onTopic, onBack }: HelpPageProps) {
	const { t, i18n } = useTranslation("help");
	const pages = useHelpPages(i18n.language, () => loadPages(i18n.language as Language));
	const text = pages.data?.get(topic);
	return (
		<Page
			title={t("title")}
			width="wide"
			actions={
				onBack ? (
					<Button leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
						{t("back")}
					</Button>
				) : null
			}
		>
			{pages.error ? <ProblemNotice problem={asProblem(pages.error)} onRetry={() => void pages.refetch()} /> : null}
			{pages.isPending ? <LoadingRows /> : null}
			{pages.data ? (
				<Flex direction={{ base: "column", sm: "row" }} gap="lg" align="flex-start">
					<Box w={{ base: "100%", sm: 200, md: 260 }} flex="none">
						<Contents pages={pages.data} topic={topic} onTopic={onTopic} />
					</Box>
					<Article key={topic} topic={topic} text={text ?? ""} onTopic={onTopic} />
				</Flex>
			) : null}
		</Page>
	);
}

/** Help article. Takes the focus when it appears. */
function Article({ topic, text, onTopic }: { topic: HelpTopic; text: string; onTopic: (topic: HelpTopic) => void }) {
	const ref = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const article = ref.current;
		article?.focus({ preventScroll: true });
		// In a narrow window, the article is below the contents.
		if (article && article.getBoundingClientRect().top > window.innerHeight / 2) article.scrollIntoView();
	}, []);
	return (
		<Stack
			component="article"
			ref={ref}
			tabIndex={-1}
			maw={pageWidths.form}
			miw={0}
			flex={1}
			style={{ outline: "none", scrollMarginTop: "calc(var(--app-shell-header-offset, 0px) + 1rem)" }}
		>
			<Markdown text={text} onTopic={(topic) => onTopic(topic as HelpTopic)} />
			<NoticePicture topic={topic} />
		</Stack>
	);
}

const outcomes = ["succeeded", "warnings", "failed", "unknown", "notSent"] as const;

/** Example of the outcome or problem that a help page is about; renders nothing on other pages. */
function NoticePicture({ topic }: { topic: HelpTopic }) {
	const { t } = useTranslation("help");
	const outcome = outcomes.find((one) => topic === (one === "notSent" ? "outcome-not-sent" : `outcome-${one}`));
	const kind = problemKinds.find((one) => topic === topicOfProblem(one));
	if (!outcome && !kind) return null;
	return (
		<Stack component="figure" gap="xs" m={0} mt="xs">
			<Text component="figcaption" c="dimmed">
				{t("example.caption")}
			</Text>
			{/* Inert: the page contains the text as well, and the buttons have no effect. */}
			<Box inert>
				{outcome ? <Outcome outcome={outcome} title={t(`example.${outcome}`)} /> : null}
				{kind ? <ProblemNotice problem={problems(t)[kind]} /> : null}
			</Box>
		</Stack>
	);
}

const server = "gis.example.org";

const problems = (t: TFunction<"help">): { [Kind in Problem["kind"]]: Extract<Problem, { kind: Kind }> } => ({
	form: { kind: "form", field: "location", fault: "required" },
	rejected: { kind: "rejected", code: 500, message: t("example.siteSays"), details: [] },
	inFront: { kind: "inFront", message: t("example.siteSays") },
	signIn: { kind: "signIn", site: "", server: null },
	tokenRenewed: { kind: "tokenRenewed" },
	notRenewed: {
		kind: "notRenewed",
		cause: { kind: "rejected", code: 500, message: t("example.siteSays"), details: [] },
	},
	unreachable: { kind: "unreachable", stage: "connect", message: "" },
	proxyRefused: {
		kind: "proxyRefused",
		refusal: {
			proxy: "http://proxy.example.org:3128",
			target: `${server}:6443`,
			status: 407,
			schemes: ["Negotiate", "NTLM"],
		},
	},
	noResponse: { kind: "noResponse", message: "" },
	unreadable: { kind: "unreadable", expected: t("example.expected"), excerpt: "<html>" },
	keyring: { kind: "keyring", state: "locked", message: "" },
	busy: {
		kind: "busy",
		siteName: "City GIS",
		operation: "export_portal",
		act: null,
		startedAt: Date.UTC(2026, 0, 15, 20, 5),
	},
	tooOld: { kind: "tooOld", needs: "11.1", has: "10.9" },
	notOffered: { kind: "notOffered", reason: { kind: "notOnSite", deploymentType: "kubernetes" } },
	noAddress: { kind: "noAddress", component: "server" },
	certificate: {
		kind: "certificate",
		site: "",
		certificate: {
			server,
			origin: `https://${server}`,
			subject: `CN=${server}`,
			issuer: `CN=${server}`,
			names: [server],
			notBefore: "2025-01-01T00:00:00Z",
			notAfter: "2035-01-01T00:00:00Z",
			fingerprint: Array.from({ length: 32 }, (_, place) => (place * 7 + 16).toString(16).toUpperCase()).join(":"),
			chain: [],
			reason: { kind: "selfSigned" },
			also: [],
			acceptedBefore: null,
		},
	},
	unconfirmedAddress: {
		kind: "unconfirmedAddress",
		site: "",
		addresses: ["https://machine.example.org:6443/arcgis"],
	},
	clientCertificate: { kind: "clientCertificate", alert: "certificate_required" },
	redirected: { kind: "redirected", to: "https://www.example.org/portal" },
	noDialog: { kind: "noDialog", message: "" },
	file: { kind: "file", path: "D:\\exports\\server.agssite", message: t("example.systemSays"), kept: null, full: null },
	extensionNotAllowed: { kind: "extensionNotAllowed", extension: "agssite", allowed: ["sd", "soe", "zip"] },
	readOnly: { kind: "readOnly", site: "", siteName: "City GIS" },
	planNotAccepted: { kind: "planNotAccepted" },
	safetyBackupFailed: { kind: "safetyBackupFailed", step: "noArchive", cause: null },
	webhooksNotDeactivated: { kind: "webhooksNotDeactivated", message: t("example.siteSays") },
	webhooksWereInactive: {
		kind: "webhooksWereInactive",
		cause: { kind: "safetyBackupFailed", step: "noArchive", cause: null },
		webhooks: {
			services: 1,
			active: 1,
			gone: [],
			failed: [{ service: "Parcels.MapServer", webhook: "Planning", message: t("example.siteSays") }],
			unknown: [],
			notRead: null,
			inactive: { from: Date.UTC(2026, 0, 15, 20, 1), to: Date.UTC(2026, 0, 15, 20, 5) },
		},
	},
	importFailed: {
		kind: "importFailed",
		cause: { kind: "rejected", code: 500, message: t("example.siteSays"), details: [] },
		record: null,
		canUndo: true,
	},
	safetyBackupMissing: { kind: "safetyBackupMissing", local: "D:\\exports\\before-import.agssite" },
	preconditionFailed: { kind: "preconditionFailed", why: { kind: "otherServer", server: "Hosting" } },
	notRecorded: { kind: "notRecorded", reason: "diskFull", full: null, message: "" },
	unexpected: { kind: "unexpected", message: "" },
});
