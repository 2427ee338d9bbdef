import { useTranslation } from "react-i18next";
import type { OpenPart, ProofLine, SiteProof } from "@/bridge";
import { formatDuration, formatLeft, formatNumber, formatTime } from "./format";

/** Whether a line is not judged before another one. */
export function waits({ open }: ProofLine): boolean {
	return open.length > 0 && open.every(({ why }) => why.kind === "waitsFor");
}

/** Numbers of a text, as the language writes them. */
const counted = (count: number) => ({ count, formatted: formatNumber(count) });

/** The verdict of a check in a sentence; `importEndedAt` is `null` for a check without an import. */
export function useProofHeadline(): (proof: SiteProof, importEndedAt: number | null) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "headline" });
	return ({ state, lines, checkedAt, recoveryTime, isAtMost = false }, importEndedAt) => {
		const worst = lines[0];
		const lost = worst?.open[0]?.why.kind;
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
				if (lost === "fewerThanExported" || lost === "notImported") return t(`wrong.${lost}`);
				return t(
					`wrong.${worst.about}`,
					counted(worst.open.filter((part) => part.state === "wrong").length + worst.more),
				);
		}
	};
}

/** What a line found. */
export function useProofFact(): (line: ProofLine, proof: SiteProof) => string {
	const { t } = useTranslation("siteProof", { keyPrefix: "fact" });
	return (line, { index, versions, isAsBefore, issuedAt }) => {
		const { about, state, open, more } = line;
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
				const orphans = open.filter((part) => part.state === "wrong").length + (state === "wrong" ? more : 0);
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
		}
	};
}

/** What is not as it should be, and what to do about it. */
export function useOpenPartText(): (part: OpenPart) => string {
	const { t } = useTranslation("siteProof");
	return ({ name, server, why, state }) => {
		const index = name === "search" || name === "users" || name === "groups" ? t(`of.${name}`) : name;
		const isIndex = why.kind === "behind" || why.kind === "standsStill" || why.kind === "fewerThanExported";
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
				case "notImported":
				case "notFederated":
				case "noService":
				case "noItem":
					return t(`why.${why.kind}`);
				case "notReturned":
					return t("why.notReturned", { message: why.message });
				case "otherVersion":
					return t("why.otherVersion", { now: why.now, before: why.before });
				case "notRunning":
					return t(state === "wrong" ? "why.notRunningDo" : "why.notRunning", { state: why.state });
				case "fewerThanExported": {
					const numbers = { now: formatNumber(why.now), exported: formatNumber(why.exported) };
					return t("why.fewerThanExported", numbers);
				}
				case "noServices":
					return t("why.noServices", { before: formatNumber(why.before) });
				case "statesUnknown":
					return t("why.statesUnknown", counted(why.count));
				case "behind": {
					// The line has the numbers of the items.
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
				case "waitsFor":
					return t("why.waitsFor", { line: t(`line.${why.about}`) });
				case "notValidated":
					return t("why.notValidated", counted(why.count));
			}
		}
	};
}
