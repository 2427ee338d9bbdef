import { useTranslation } from "react-i18next";
import type { OpenPart, ProofLine, SiteProof } from "@/bridge";
import { formatDuration, formatLeft, formatList, formatTime } from "./format";

/** Whether a line is not checked yet, because it depends on another one. */
export function waits({ open }: ProofLine): boolean {
	return open.length > 0 && open.every(({ why }) => why.kind === "waitsFor");
}

/**
 * Returns the number of wrong parts. Omitted parts are counted only if all listed ones are wrong: worse ones would be
 * listed first.
 */
function wrongIn({ open, more }: ProofLine): number {
	const wrong = open.filter((part) => part.state === "wrong").length;
	return wrong === open.length ? wrong + more : wrong;
}

/**
 * Returns a function that summarizes a check in one sentence. `importEndedAt`: `null` for a check without an import.
 */
export function useProofHeadline(): (proof: SiteProof, importEndedAt: number | null) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "headline" });
	const { t: lineName } = useTranslation("siteProof", { keyPrefix: "line" });
	return ({ state, lines, checkedAt, recoveryTime, isAtMost = false }, importEndedAt) => {
		const [worst, ...others] = lines.filter((line) => line.state === "wrong");
		switch (state) {
			case "done":
				if (recoveryTime === null) return t("done");
				return t(isAtMost ? "doneAfterAtMost" : "doneAfter", { time: formatDuration(recoveryTime) });
			case "notYet":
				return importEndedAt === null ? t("notYet") : t("notYetAfter", { time: formatLeft(checkedAt - importEndedAt) });
			case "notKnown":
				return t("notKnown");
			case "wrong":
				if (worst === undefined) return t("notKnown");
				if (others.length === 0) return t(`wrong.${worst.about}`, { count: wrongIn(worst) });
				return t("wrongLines", { lines: formatList([worst, ...others].map(({ about }) => lineName(about))) });
		}
	};
}

/** Returns a function that states the result of a line. */
export function useProofFact(): (line: ProofLine, proof: SiteProof) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "fact" });
	return (line, { index, versions, isAsBefore, issuedAt }) => {
		const { about, state } = line;
		const of = { done: line.done, of: line.of, count: line.of };
		if (waits(line)) return t("notChecked");
		if (state === "notKnown" && line.done === 0) return t("notKnown");
		switch (about) {
			case "searchIndex":
				if (state !== "done" || index === null) return t("indexed", of);
				return t("searchIndex", { items: index.items, users: index.users, groups: index.groups });
			case "federation":
				return line.of === 0 ? t("noServers") : t("federation", of);
			case "services":
				return line.of === 0 ? t("noServices") : t("services", of);
			case "orphans": {
				const orphans = wrongIn(line);
				return orphans > 0 ? t("orphans", { count: orphans }) : t(state === "done" ? "noOrphans" : "notKnown");
			}
			case "answers": {
				const version = versions.join(", ");
				return version === "" ? t("answers", of) : t(isAsBefore ? "asBefore" : "version", { ...of, version });
			}
			case "signIn":
				return issuedAt === null ? t("notKnown") : t("token", { at: formatTime(issuedAt) });
			case "dataStores":
				return line.of === 0 ? t("noItems") : t("dataStores", of);
			case "content": {
				const differences = wrongIn(line);
				return differences > 0 ? t("differs", { count: differences }) : t(state === "done" ? "content" : "notKnown");
			}
		}
	};
}

const without = (start: string, text: string) => (text.startsWith(start) ? text.slice(start.length) : text);

const countedNames = ["search", "users", "groups", "collaborations", "services"] as const;

const isCounted = (name: string): name is (typeof countedNames)[number] =>
	(countedNames as readonly string[]).includes(name);

/** Returns a function that explains an open part and what to do. */
export function useOpenPartText(): (part: OpenPart) => string {
	const { t } = useTranslation("siteProof");
	return ({ name, server, why: full, state }) => {
		// A server can begin its message with the path that the line names.
		const why = "message" in full && name !== "" ? { ...full, message: without(`${name}: `, full.message) } : full;
		const index = isCounted(name) ? t(`of.${name}`) : name;
		const isIndex = why.kind === "behind" || why.kind === "standsStill" || why.kind === "counted";
		const isOfLine = why.kind === "behind" && name === "search" && why.left !== null;
		const named = isOfLine ? "" : isIndex ? index : name;
		const text = reason();
		if (named !== "" && server !== null) return t("namedOn", { name: named, server, why: text });
		return named === "" && server === null ? text : t("named", { name: named || server, why: text });

		function reason(): string {
			switch (why.kind) {
				case "notRunning":
					return t(state === "wrong" ? "why.notRunningDo" : "why.notRunning", { state: why.state });
				case "behind": {
					// The line itself states the numbers of the items.
					if (isOfLine && why.left !== null) return t("why.left", { left: formatDuration(why.left * 1_000) });
					if (why.left === null) return t("why.behind", { ...why });
					return t("why.behindLeft", { ...why, left: formatDuration(why.left * 1_000) });
				}
				case "standsStill":
					return t("why.standsStill", { ...why, at: formatTime(why.since) });
				case "invalid":
					return why.message === "" ? t("why.invalidNoReason") : t("why.invalid", { message: why.message });
				case "waitsFor":
					return t("why.waitsFor", { line: t(`line.${why.about}`) });
				default:
					return t(`why.${why.kind}`, { ...why });
			}
		}
	};
}
