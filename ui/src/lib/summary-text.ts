import type { TFunction } from "i18next";
import type { HistoryEntry, Summary } from "@/bridge";
import { isolated, joined } from "@/messages/isolated";
import { formatList, formatNumber } from "./format";

/** What happened, in one sentence. The program writes the same into the files that it saves. */
export function summaryText(t: TFunction<"common">, summary: Summary): string {
	switch (summary.kind) {
		case "deactivation": {
			const { deactivated: done } = summary;
			const counted = { count: summary.services.length, services: formatList(summary.services) };
			if (done === null) return t("summary.deactivating", counted);
			if (done.length === counted.count) return t("summary.deactivated", counted);
			return done.length === 0
				? t("summary.deactivatedNone", counted)
				: t("summary.deactivatedPartly", {
						count: counted.count,
						done: formatNumber(done.length),
						services: formatList(done),
					});
		}
		case "reactivation": {
			const { service, reactivated: count } = summary;
			if (count === null) return t("summary.reactivating", { count: summary.webhooks, service });
			return count === 0 ? t("summary.reactivatedNone", { service }) : t("summary.reactivated", { count, service });
		}
		case "contact": {
			const orNone = (contact: string) => contact || t("summary.noContact");
			const { participant, collaboration, changed } = summary;
			const about = { participant, collaboration, after: orNone(summary.after) };
			if (summary.before === null) return t(changed ? "summary.contactChangedTo" : "summary.contactTo", about);
			return t(changed ? "summary.contactChanged" : "summary.contact", { ...about, before: orNone(summary.before) });
		}
		case "invitation": {
			const { guest, collaboration } = summary;
			return t(summary.refreshed ? "summary.refreshed" : "summary.refreshing", { guest, collaboration });
		}
	}
}

/** What an entry says in one line: what happened, and its note where the outcome does not speak for itself. */
export function entryText(t: TFunction<"common">, { summary, outcome, note: raw }: HistoryEntry): string {
	const note = withoutOwnErrors(t, raw);
	if (summary === null) return note;
	const words = summaryText(t, summary);
	return outcome === "succeeded" || note === "" || words.includes(note) ? words : `${words} · ${isolated(note)}`;
}

/** The program's own errors in the reader's language, without the particulars of a library. The details have them as they are. */
function withoutOwnErrors(t: TFunction<"common">, note: string): string {
	return note
		.replace(/\bno response from the site\b.*?(?= · |$)/gs, t("summary.noResponse"))
		.replace(/\bthe response cannot be read: expected\b.*?(?= · |$)/gs, t("summary.unreadable"));
}

/** Who did it: the account at the site, and beside it that of the operating system and the computer. */
export function whoText({ username, systemUser, computer }: HistoryEntry): string {
	const here = computer ? `${systemUser}@${computer}` : systemUser;
	return joined(
		[username, here].filter((part) => part !== ""),
		" · ",
	);
}
