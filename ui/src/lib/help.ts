import { type OperationKey, operations, type Problem } from "@/bridge";

/** Kinds of problems in the order of their sections on the help page, the most frequent first. A test fails if one is missing. */
export const problemKinds = [
	"form",
	"rejected",
	"inFront",
	"signIn",
	"tokenRenewed",
	"notRenewed",
	"unreachable",
	"proxyRefused",
	"noResponse",
	"unreadable",
	"keyring",
	"busy",
	"tooOld",
	"notOffered",
	"noAddress",
	"certificate",
	"unconfirmedAddress",
	"clientCertificate",
	"redirected",
	"noDialog",
	"file",
	"extensionNotAllowed",
	"readOnly",
	"planNotAccepted",
	"safetyBackupFailed",
	"webhooksNotDeactivated",
	"webhooksWereInactive",
	"importFailed",
	"safetyBackupMissing",
	"preconditionFailed",
	"notRecorded",
	"unexpected",
] as const satisfies readonly Problem["kind"][];

/** Topics of the help in the order of its contents. The file of a page is named after its topic. */
export const helpTopics = {
	start: [
		"start",
		"overview",
		"recoverable",
		"changes",
		"expires",
		"sites",
		"sign-in",
		"register-app",
		"trust",
		"read-only",
		"practice",
	],
	operations: operations.map(({ key }) => topicOfOperation(key)),
	around: [
		"backup-plans",
		"running-operations",
		"history",
		"audit-trail",
		"forwarding",
		"alerts",
		"keyboard",
		"settings",
		"diagnostics",
		"privacy",
	],
	outcomes: ["outcome-succeeded", "outcome-warnings", "outcome-failed", "outcome-unknown", "outcome-not-sent"],
	problems: ["problems"],
} as const;

export type HelpTopic = (typeof helpTopics)[keyof typeof helpTopics][number];

export function topicOfOperation(key: OperationKey): Kebab<OperationKey> {
	return key.replaceAll("_", "-") as Kebab<OperationKey>;
}

type Kebab<K extends string> = K extends `${infer A}_${infer B}` ? `${A}-${B}` : K;
