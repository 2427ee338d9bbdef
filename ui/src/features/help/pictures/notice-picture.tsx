import { Box, Stack, Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Problem } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { Outcome } from "@/components/outcome";
import { type HelpTopic, problemKinds, topicOfProblem } from "@/lib/help";

const outcomes = ["succeeded", "warnings", "failed", "unknown", "notSent"] as const;

/** Example of the outcome or problem that a help page is about; renders nothing on other pages. */
export function NoticePicture({ topic }: { topic: HelpTopic }) {
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
