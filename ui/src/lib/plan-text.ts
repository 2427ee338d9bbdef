import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type {
	AcceptanceLine,
	NeedsYou,
	PartFault,
	PartState,
	PlanSession,
	PlanState,
	ServerId,
	SiteView,
} from "@/bridge";
import { dotted, joined } from "@/messages/isolated";
import { formatAgo, formatSize, formatTime } from "./format";
import { serverName } from "./target";

type Translate = TFunction<["sites", "common"]>;

interface PlanText {
	word: string;
	/** Reason, as a sentence without a period; empty if `word` is enough. */
	why: string;
	/** Time and details; empty if there are none. */
	when: string;
	tone: "succeeded" | "warnings" | "failed" | "unknown" | "notSent" | null;
}

export function usePlanText(): (site: SiteView, state: PlanState) => PlanText {
	const { t } = useTranslation(["sites", "common"]);
	return useCallback((site, state) => textOf(t, site, state), [t]);
}

function textOf(t: Translate, site: SiteView, state: PlanState): PlanText {
	const word = t(`plan.${state.kind}`);
	switch (state.kind) {
		case "paused":
			return { word, why: "", when: "", tone: "notSent" };
		case "new":
			return { word, why: "", when: "", tone: null };
		case "verified":
			return { word, why: "", when: "", tone: "succeeded" };
		case "didNotRun":
			return {
				word,
				why: t("plan.why.didNotRun"),
				when: t("plan.due", { at: formatTime(state.since) }),
				tone: "failed",
			};
		case "needsYou": {
			const { why, detail } = whyOf(t, site, state.reason);
			const at = formatTime(state.since);
			const when = detail ? dotted(detail, t("plan.since", { at })) : t("plan.sinceFirst", { at });
			return { word, why, when, tone: toneOf(state.reason) };
		}
	}
}

function whyOf(t: Translate, site: SiteView, reason: NeedsYou): { why: string; detail: string } {
	const partOf = (server: ServerId | null) => (server === null ? t("plan.portal") : serverName(site, server));
	switch (reason.kind) {
		case "noSet":
			return { why: t("plan.why.noSet"), detail: reason.note };
		case "notAccepted":
			return { why: whyNotAccepted(t, partOf, reason.line), detail: "" };
		case "signIn":
			return { why: t("plan.why.signIn", { part: partOf(reason.server) }), detail: "" };
		case "sessionEnds": {
			const { server, ends } = reason.end;
			const why = t("plan.why.sessionEnds", { part: partOf(server), ago: formatAgo(ends) });
			return { why, detail: t("plan.signInBefore", { at: formatTime(ends) }) };
		}
		case "small":
			return {
				why: t("plan.why.small", { part: partOf(reason.server) }),
				detail: t("plan.small", { size: formatSize(reason.size), usual: formatSize(reason.usual) }),
			};
		case "noSite":
			return { why: t("plan.why.noSite"), detail: "" };
		case "notRemoved":
			return { why: t("plan.why.notRemoved", { count: reason.sets }), detail: "" };
		case "rehearse":
			return {
				why: t("plan.why.rehearse", { part: partOf(reason.server) }),
				detail:
					reason.last === null ? t("plan.neverRehearsed") : t("plan.lastRehearsed", { at: formatTime(reason.last) }),
			};
		case "part": {
			const { others } = reason;
			return {
				why: t(`plan.why.${keyOf(reason.state)}`, { part: partOf(reason.server) }),
				detail: others > 0 ? t("plan.others", { count: others }) : "",
			};
		}
	}
}

/** Returns the first reason why the acceptance check failed. The editor of the plan shows all of them. */
function whyNotAccepted(t: Translate, partOf: (server: ServerId | null) => string, { about }: AcceptanceLine): string {
	switch (about.kind) {
		case "session": {
			const part = joined(about.parts.map(partOf), ", ");
			return t(`plan.why.${sessionKeyOf(about.session)}`, { part });
		}
		case "versions":
			return t("plan.why.notOffered", { part: joined(about.parts.map(partOf), ", ") });
		case "space":
			return t("plan.why.space");
		default:
			return t("plan.why.folder");
	}
}

/** Returns the message key of a session that does not suffice for the next run. */
function sessionKeyOf(session: PlanSession) {
	const end = "ends" in session ? session.ends : null;
	if (session.kind === "signedOut" || (end !== null && end <= Date.now())) return "signIn";
	if (session.kind === "bareToken") return "notRenewed";
	return session.kind === "keyring" ? "keyring" : "session";
}

/** Returns the message key of the fault of a part: a file of an earlier export is complete. */
export function faultKeyOf(fault: PartFault) {
	return fault.kind === "archive" && fault.archive === "earlier" ? "earlier" : fault.kind;
}

/** Returns the message key of a part that did not succeed. */
function keyOf(state: PartState) {
	switch (state.kind) {
		case "failed":
			return faultKeyOf(state.fault);
		case "skipped":
			return state.reason;
		case "verifiedHere":
		case "unrecognized":
		case "onSite":
			return "onSite";
		// No end was recorded, because the app or the runner ended during the run.
		default:
			return "unknown";
	}
}

function toneOf(reason: NeedsYou): PlanText["tone"] {
	if (["sessionEnds", "small", "notRemoved", "rehearse"].includes(reason.kind)) return "warnings";
	return reason.kind === "part" ? partTone(reason.state) : "failed";
}

/** Returns the tone of a part that did not succeed. */
function partTone(state: PartState): PlanText["tone"] {
	switch (state.kind) {
		case "skipped":
			return "warnings";
		case "failed":
		case "onSite":
			return "failed";
		default:
			return "unknown";
	}
}

/**
 * Returns where a user has to sign in, `null` for the portal, or `undefined` if a sign-in does not resolve the state.
 */
export function signInOf(state: PlanState): ServerId | null | undefined {
	if (state.kind !== "needsYou") return undefined;
	const { reason } = state;
	if (reason.kind === "signIn") return reason.server;
	if (reason.kind === "sessionEnds") return reason.end.server;
	if (reason.kind === "notAccepted") {
		return reason.line.remedy?.kind === "signIn" ? reason.line.remedy.server : undefined;
	}
	if (reason.kind !== "part" || reason.state.kind !== "failed") return undefined;
	return reason.state.fault.kind === "signIn" ? reason.server : undefined;
}
