import type { TFunction } from "i18next";
import type { HistoryEntry, NotePart, Summary } from "@/bridge";
import { isolated, joined } from "@/messages/isolated";
import { formatList } from "./format";

/** Returns in one sentence what happened. The backend writes the same sentence into saved files. */
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
						done: done.length,
						services: formatList(done),
					});
		}
		case "reactivation": {
			const { service, reactivated: count } = summary;
			if (count === null) return t("summary.reactivating", { count: summary.webhooks, service });
			if (count === 0)
				return t(summary.webhooks === 0 ? "summary.reactivatedNothing" : "summary.reactivatedNone", { service });
			if (count === summary.webhooks) return t("summary.reactivated", { count, service });
			return t("summary.reactivatedPartly", { count: summary.webhooks, done: count, service });
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
		case "planRun": {
			const { plan, parts } = summary;
			const counted = { plan, count: parts.length };
			const done = parts.filter(({ isAsExpected }) => isAsExpected).length;
			if (counted.count === 0) return t("summary.planRunWithoutSet", { plan });
			return done === counted.count ? t("summary.planRun", counted) : t("summary.planRunPartly", { ...counted, done });
		}
		case "rehearsal": {
			const { site, parts } = summary;
			const done = parts.filter(({ isAsExpected }) => isAsExpected).length;
			return t("summary.rehearsal", { site, done, count: parts.length });
		}
	}
}

/** Fields of an entry that {@link entryText} uses. */
export type EntryContent = Pick<HistoryEntry, "summary" | "outcome" | "noteParts">;

/**
 * Returns one line about an entry: what happened, and its note if the outcome is not enough. `shorten` prepares the
 * parts of the note.
 */
export function entryText(
	t: TFunction<"common">,
	{ summary, outcome, noteParts }: EntryContent,
	shorten: (part: NotePart) => NotePart = (part) => part,
): string {
	const note = noteParts.map((part) => partText(t, shorten(part))).join(" · ");
	if (summary === null) return note;
	const words = summaryText(t, summary);
	const saysAll = outcome === "succeeded" || noteParts.every(({ kind }) => kind === "names");
	return saysAll ? words : `${words} · ${isolated(note)}`;
}

/** Returns a note part. Errors of the app are translated and shortened; the details show them in full. */
function partText(t: TFunction<"common">, { about, kind, text, upload }: NotePart): string {
	const said = () => {
		if (kind === "noConnection") return t("summary.noConnection");
		if (kind === "noResponse") return t("summary.noResponse");
		if (kind === "unreadable") return t("summary.unreadable");
		return [text, upload && (text === "" ? upload : `(${upload})`)].filter(Boolean).join(" ");
	};
	return about === null ? said() : `${about}: ${said()}`;
}

/** Returns who caused an entry: the account at the site, the account of the operating system, and the computer. */
export function whoText({ username, systemUser, computer }: HistoryEntry): string {
	const here = computer ? `${systemUser}@${computer}` : systemUser;
	return joined([username, here], " · ");
}
