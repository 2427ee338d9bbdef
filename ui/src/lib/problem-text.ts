import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { CertificateProblem, CertificateReason, FullDisk, Outcome, Problem, ProxyRefusal, Stage } from "@/bridge";
import { joined } from "@/messages/isolated";
import { formatDay, formatTime } from "./format";
import { areActiveAgain } from "./service-state";
import { unavailableAdvice, unavailableText } from "./use-read-only";

interface ProblemText {
	title: string;
	/** Effect on the site, unless `what` states it. */
	effect?: string;
	what: string | null;
	/** Text from outside the app: a message of the site or system, or a path. */
	quote: string | null;
	items: readonly string[];
	advice: string;
}

/** Returns the texts of a problem. `outcome`: that of the failed operation, `null` without one. */
export function useProblemText(problem: Problem, outcome: Outcome | null = null): ProblemText {
	const { t } = useTranslation(["problems", "common"]);
	const { t: common } = useTranslation("common");
	const words = wordsOf(t, common, problem);
	// Before the operation is started again, the user must check its outcome: it might have had its effect.
	if (outcome === "unknown") return { ...words, advice: t("effect.checkFirst") };
	if ((outcome !== "notSent" && outcome !== "failed") || !leavesEffectOpen.has(problem.kind)) return words;
	// The problem concerns an earlier request; the operation itself was not sent.
	const before = problem.kind === "rejected" ? "rejectedBefore" : "notSent";
	const said = { ...words, effect: t(`effect.${outcome === "notSent" ? before : "noEffect"}`) };
	if (problem.kind === "unexpected") return { ...said, advice: t("unexpected.doKnown") };
	if (problem.kind !== "unreachable") return said;
	if (saysNotSent.has(problem.stage)) return words;
	// The advice of these stages names the cause, and the outcome states whether something was sent.
	if (problem.stage === "lateCertificate") return { ...said, what: null };
	if (problem.stage === "short") return said;
	// The lost response belongs to an earlier request, which only reads.
	return { ...said, what: null, advice: t("noResponse.do") };
}

/** Stages before a connection exists. Their texts already state that nothing was sent. */
const saysNotSent: ReadonlySet<Stage> = new Set<Stage>(["connect", "tls", "tlsVersions", "tlsSuites"]);

/** Problems that can occur before, during, and after the request, and whose texts do not mention the effect. */
const leavesEffectOpen: ReadonlySet<Problem["kind"]> = new Set<Problem["kind"]>([
	"form",
	"rejected",
	"inFront",
	"signIn",
	"unreachable",
	"unreadable",
	"keyring",
	"busy",
	"clientCertificate",
	"redirected",
	"noDialog",
	"file",
	"unexpected",
]);

/** Returns a function that describes a problem in one line, for table cells. */
export function useProblemSummary(): (problem: Problem) => string {
	const { t } = useTranslation(["problems", "common"]);
	const { t: common } = useTranslation("common");
	return (problem) => {
		const { title, what, quote } = wordsOf(t, common, problem);
		return quote ?? what ?? title;
	};
}

/** Words by which sites report missing privileges, in the languages of the app. */
const aboutAccess =
	/privileg|permi[st]|authori|forbidden|denied|access|\brole\b|administrator|berechtig|zugriff|verboten|rolle|autoriz|denegad|prohibid|acceso|\brol\b/i;

/** Decides by the message of the site; without one, the code is enough. */
function lacksPrivilege({ code, message, details }: Extract<Problem, { kind: "rejected" }>): boolean {
	const words = [message, ...details].join(" ").trim();
	return code === 403 && (words === "" || aboutAccess.test(words));
}

const connectionFields = ["caCertificate", "clientCertificate", "clientCertificatePassword", "address"] as const;

/** Returns the texts of a form fault that no field on screen shows. Connection faults refer to the settings. */
function formWords(t: TFunction<["problems", "common"]>, { field, fault: kind }: Extract<Problem, { kind: "form" }>) {
	const fault = t(`common:fault.${kind}`);
	const ofConnection = connectionFields.find((one) => field.startsWith("connection.") && field.endsWith(`.${one}`));
	if (!ofConnection) return { title: t("form.title"), what: fault, advice: t("form.do") };
	return {
		title: t("form.connectionTitle"),
		what: t("form.connectionFault", { field: t(`form.connectionField.${ofConnection}`), fault }),
		advice: t("form.connectionDo"),
	};
}

/** The app supports only the Basic scheme, so a password helps only if the proxy offers it. */
function whyRefused({ status, schemes }: ProxyRefusal) {
	if (status === null) return "noResponse";
	if (status !== 407) return "refused";
	const takesPassword = schemes.length === 0 || schemes.some((scheme) => scheme.toLowerCase() === "basic");
	return takesPassword ? "password" : "scheme";
}

/** Texts of a full disk: the file might fit on another disk. */
function onFullDisk(t: TFunction<["problems", "common"]>, { isQuota, ...names }: FullDisk, path: string): ProblemText {
	return {
		title: t("file.fullTitle"),
		what: t(isQuota ? "file.quotaWhat" : "file.fullWhat", names),
		quote: path,
		items: [],
		advice: t(isQuota ? "file.quotaDo" : "file.fullDo", names),
	};
}

/** Nothing was imported, but the webhooks were inactive for a time, which the cause alone does not mention. */
function afterDeactivation(
	t: TFunction<["problems", "common"]>,
	cause: ProblemText,
	{ cause: { kind }, webhooks }: Extract<Problem, { kind: "webhooksWereInactive" }>,
): ProblemText {
	const { active, gone, failed, unknown, notRead, inactive } = webhooks;
	const left = [...failed, ...unknown];
	const areActive = areActiveAgain(webhooks);
	const areBack = areActive === true;
	const back = active + gone.length;
	const times = inactive && back > 0 && { count: back, from: formatTime(inactive.from), to: formatTime(inactive.to) };
	// The titles of these problems state that nothing was imported, but not why.
	const saysOnlyThat = ["safetyBackupFailed", "webhooksNotDeactivated", "preconditionFailed"].includes(kind);
	const might = areActive === null;
	const reason = (saysOnlyThat ? cause.what : null) ?? cause.title;
	return {
		title: areBack
			? t("webhooksWereInactive.title")
			: t(might ? "webhooksWereInactive.mightTitle" : "webhooksWereInactive.stillTitle"),
		effect: times ? t("webhooksWereInactive.times", times) : "",
		what: `${areBack ? t("webhooksWereInactive.allActive") : t(might ? "webhooksWereInactive.notAllKnown" : "webhooksWereInactive.notAll")} ${t("webhooksWereInactive.reason", { reason })}`,
		quote: areBack ? cause.quote : notRead,
		items: areBack ? cause.items : left.map(({ service, webhook }) => joined([service, webhook], ": ")),
		advice: t(areBack ? "webhooksWereInactive.again" : "webhooksWereInactive.do"),
	};
}

/** Keys of the problems whose texts are a title, what happened, and what to do. */
type PlainKey =
	| Exclude<Problem["kind"], WithVariants>
	| `unreachable.${Stage}`
	| `proxyRefused.${ReturnType<typeof whyRefused>}`
	| `keyring.${Extract<Problem, { kind: "keyring" }>["state"]}`
	| `preconditionFailed.${Extract<Problem, { kind: "preconditionFailed" }>["why"]["kind"] | "removedServer"}`;

type WithVariants =
	| "certificate"
	| "file"
	| "form"
	| "importFailed"
	| "keyring"
	| "notOffered"
	| "notRecorded"
	| "preconditionFailed"
	| "proxyRefused"
	| "rejected"
	| "safetyBackupFailed"
	| "signIn"
	| "unreachable"
	| "webhooksWereInactive";

function wordsOf(t: TFunction<["problems", "common"]>, common: TFunction<"common">, problem: Problem): ProblemText {
	const plain = { quote: null, items: [] as readonly string[] };
	const words = (key: PlainKey, values: Readonly<Record<string, unknown>> = {}) => ({
		...plain,
		title: t(`${key}.title`, values),
		what: t(`${key}.what`, values),
		advice: t(`${key}.do`, values),
	});
	const { kind } = problem;
	switch (kind) {
		case "inFront":
		case "webhooksNotDeactivated":
			return { ...words(kind), quote: problem.message };
		case "form":
			return { ...plain, ...formWords(t, problem) };
		case "rejected": {
			const items = [...new Set(problem.details.filter((line) => line && line !== problem.message))];
			const hasWords = problem.message !== "" || items.length > 0;
			const code = problem.code === null ? null : { code: String(problem.code) };
			const own = code ? t("rejected.own", code) : t("rejected.ownNoCode");
			const nothing = code ? t("rejected.noWords", code) : t("rejected.nothing");
			return {
				title: t("rejected.title"),
				what: hasWords ? own : nothing,
				quote: problem.message || null,
				items,
				advice: t(`rejected.${lacksPrivilege(problem) ? "doPrivilege" : hasWords ? "do" : "doLogs"}`),
			};
		}
		case "signIn": {
			const server = problem.server?.name;
			const [title, what] =
				server === undefined ? (["title", "what"] as const) : (["serverTitle", "serverWhat"] as const);
			const named = { ...plain, title: t(`signIn.${title}`, { server }) };
			if (problem.elsewhere) {
				const origin = problem.elsewhere;
				return { ...named, what: t("signIn.elsewhereWhat", { origin }), advice: t("signIn.elsewhereDo") };
			}
			return { ...named, what: t(`signIn.${what}`), advice: t("signIn.do") };
		}
		case "notRenewed":
			return { ...words(kind), quote: "message" in problem.cause ? problem.cause.message : null };
		case "unreachable":
			return words(`unreachable.${problem.stage}`);
		case "proxyRefused": {
			const { proxy, target, status, schemes } = problem.refusal;
			const values = { proxy, target, status: String(status ?? ""), schemes: joined(schemes, ", ") };
			return words(`proxyRefused.${whyRefused(problem.refusal)}`, values);
		}
		case "keyring":
			return words(`keyring.${problem.state}`);
		case "busy": {
			const { act, siteName: site, startedAt } = problem;
			const operation = act ? t(`common:historyAction.${act}`) : t(`common:operation.${problem.operation}.name`);
			return words(kind, { operation, site, at: formatTime(startedAt) });
		}
		case "noAddress":
			return words(kind, { area: t(`common:area.${problem.component}`) });
		case "notOffered": {
			if (problem.reason.kind === "tooOld") return wordsOf(t, common, problem.reason);
			const advice = `${t("notOffered.do")} ${unavailableAdvice(common, problem.reason)}`;
			return { ...plain, title: t("notOffered.title"), what: unavailableText(common, problem.reason), advice };
		}
		case "certificate":
			return certificateText(t, problem.certificate);
		case "unconfirmedAddress":
			return { ...words(kind), items: problem.addresses };
		case "redirected":
			return { ...words(kind), quote: problem.to };
		case "file": {
			if (problem.full !== null) return onFullDisk(t, problem.full, problem.path);
			const { kept } = problem;
			return {
				title: t("file.title"),
				what: t(kept === null ? "file.what" : "file.keptWhat"),
				// The details contain the message of the operating system, in its language.
				quote: problem.path,
				items: kept === null ? [] : [t("file.kept", { path: kept })],
				advice: t(kept === null ? "file.do" : "file.keptDo"),
			};
		}
		case "extensionNotAllowed":
			return { ...words(kind, { extension: problem.extension }), quote: joined(problem.allowed, ", ") };
		case "readOnly":
			return words(kind, { site: problem.siteName });
		case "safetyBackupFailed":
			return {
				title: t("safetyBackupFailed.title"),
				what: t(`safetyBackupFailed.step.${problem.step}`),
				quote: problem.cause && "message" in problem.cause ? problem.cause.message : null,
				items: problem.cause?.kind === "file" ? [problem.cause.kept ?? problem.cause.path] : [],
				advice: t("safetyBackupFailed.do"),
			};
		case "webhooksWereInactive":
			return afterDeactivation(t, wordsOf(t, common, problem.cause), problem);
		case "importFailed": {
			const cause = wordsOf(t, common, problem.cause);
			const what = `${t("importFailed.what")} ${cause.what ?? ""}`.trim();
			const advice = t(problem.canUndo ? "importFailed.doUndo" : "importFailed.do");
			return { title: t("importFailed.title"), what, quote: cause.quote, items: cause.items, advice };
		}
		case "safetyBackupMissing": {
			const { local } = problem;
			const what = [t("safetyBackupMissing.what"), local ? t("safetyBackupMissing.local") : ""].join(" ").trim();
			return { ...words(kind), what, quote: local };
		}
		case "preconditionFailed": {
			// A server that was removed from the site has no name.
			const isRemoved = problem.why.kind === "otherServer" && problem.why.server === "";
			const why = `preconditionFailed.${isRemoved ? "removedServer" : problem.why.kind}` as const;
			const contact = ("contact" in problem.why && problem.why.contact) || "–";
			const values = { server: "", service: "", webhook: "", field: "", stored: 0, size: 0, ...problem.why, contact };
			return words(why, values);
		}
		case "notRecorded": {
			const { full, reason } = problem;
			const advice = full ? t("notRecorded.doOnDisk", { ...full }) : t(`notRecorded.do.${reason}`);
			return { ...plain, title: t("notRecorded.title"), what: t("notRecorded.what"), advice };
		}
		default:
			return words(kind, { ...problem });
	}
}

/** Whether a user can accept the certificate: it belongs to the site, and its issuer has not revoked it. */
export function canBeTrusted(certificate: CertificateProblem): boolean {
	return certificate.origin !== null && certificate.reason.kind !== "revoked";
}

function certificateText(t: TFunction<["problems", "common"]>, certificate: CertificateProblem) {
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
