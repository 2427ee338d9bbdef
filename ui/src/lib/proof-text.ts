import { useTranslation } from "react-i18next";
import type { OpenPart, ProofLine, SiteProof } from "@/bridge";
import { formatDuration, formatLeft, formatNumber, formatTime } from "./format";

/** Whether a line is not checked yet, because it depends on another one. */
export function waits({ open }: ProofLine): boolean {
	return open.length > 0 && open.every(({ why }) => why.kind === "waitsFor");
}

/** Number of the parts that are wrong. Those that are left out are not worse than the last one. */
function wrongIn({ open, more }: ProofLine): number {
	const wrong = open.filter((part) => part.state === "wrong").length;
	return wrong === open.length ? wrong + more : wrong;
}

const counted = (count: number) => ({ count, formatted: formatNumber(count) });

/**
 * Returns a function that summarizes a check in one sentence. `importEndedAt`: `null` for a check without an import.
 */
export function useProofHeadline(): (proof: SiteProof, importEndedAt: number | null) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "headline" });
	return ({ state, lines, checkedAt, recoveryTime, isAtMost = false }, importEndedAt) => {
		const worst = lines[0];
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
				return t(`wrong.${worst.about}`, counted(wrongIn(worst)));
		}
	};
}

/** Returns a function that states the result of a line. */
export function useProofFact(): (line: ProofLine, proof: SiteProof) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "fact" });
	return (line, { index, versions, isAsBefore, issuedAt }) => {
		const { about, state } = line;
		const of = { done: formatNumber(line.done), of: formatNumber(line.of) };
		if (waits(line)) return t("notChecked");
		if (state === "notKnown" && line.of === 0) return t("notKnown");
		switch (about) {
			case "searchIndex":
				if (state !== "done" || index === null) return t("indexed", of);
				return t("searchIndex", {
					items: formatNumber(index.items),
					users: formatNumber(index.users),
					groups: formatNumber(index.groups),
				});
			case "federation":
				return line.of === 0 ? t("noServers") : t("federation", of);
			case "services":
				return line.of === 0 ? t("noServices") : t("services", of);
			case "orphans": {
				const orphans = wrongIn(line);
				return orphans > 0 ? t("orphans", counted(orphans)) : t(state === "done" ? "noOrphans" : "notKnown");
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
				return differences > 0 ? t("differs", counted(differences)) : t(state === "done" ? "content" : "notKnown");
			}
		}
	};
}

const countedNames = ["search", "users", "groups", "collaborations", "services"] as const;

const isCounted = (name: string): name is (typeof countedNames)[number] =>
	(countedNames as readonly string[]).includes(name);

/** Returns a function that explains an open part and what to do. */
export function useOpenPartText(): (part: OpenPart) => string {
	const { t } = useTranslation("siteProof");
	return ({ name, server, why, state }) => {
		const index = isCounted(name) ? t(`of.${name}`) : name;
		const isIndex = why.kind === "behind" || why.kind === "standsStill" || why.kind === "counted";
		const isOfLine = why.kind === "behind" && name === "search" && why.left !== null;
		const named = isOfLine ? "" : isIndex ? index : name;
		const text = reason();
		if (named !== "" && server !== null) return t("namedOn", { name: named, server, why: text });
		return named === "" && server === null ? text : t("named", { name: named || server, why: text });

		function reason(): string {
			switch (why.kind) {
				case "signIn":
				case "noRenewal":
				case "folderUnlisted":
				case "notFederated":
				case "noService":
				case "noItem":
				case "notImported":
					return t(`why.${why.kind}`);
				case "counted":
					return t("why.counted", { found: formatNumber(why.found), expected: formatNumber(why.expected) });
				case "notReturned":
					return t("why.notReturned", { message: why.message });
				case "otherVersion":
					return t("why.otherVersion", { now: why.now, before: why.before });
				case "notRunning":
					return t(state === "wrong" ? "why.notRunningDo" : "why.notRunning", { state: why.state });
				case "statesUnknown":
					return t("why.statesUnknown", counted(why.count));
				case "behind": {
					// The line itself states the numbers of the items.
					if (isOfLine && why.left !== null) return t("why.left", { left: formatDuration(why.left * 1_000) });
					const numbers = { indexed: formatNumber(why.indexed), total: formatNumber(why.total) };
					if (why.left === null) return t("why.behind", numbers);
					return t("why.behindLeft", { ...numbers, left: formatDuration(why.left * 1_000) });
				}
				case "standsStill":
					return t("why.standsStill", {
						indexed: formatNumber(why.indexed),
						total: formatNumber(why.total),
						at: formatTime(why.since),
					});
				case "invalid":
					return why.message === "" ? t("why.invalidNoReason") : t("why.invalid", { message: why.message });
				case "warned":
					return t("why.warned", { message: why.message });
				case "serversMissing":
					return t("why.serversMissing", counted(why.count));
				case "sameServer":
					return t("why.sameServer", { other: why.other });
				case "waitsFor":
					return t("why.waitsFor", { line: t(`line.${why.about}`) });
				case "notValidated":
					return t("why.notValidated", counted(why.count));
			}
		}
	};
}
