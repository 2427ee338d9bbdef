import type { HistoryEntry, HistoryKey, NotePart, SiteView } from "../bindings";
import type { World } from "./world";

/** Returns the parts of a note that is a single text. */
export function textParts(text: string): NotePart[] {
	return text === "" ? [] : [{ about: null, kind: "text", text, upload: null }];
}

/** Adds a history entry, by default of a successful action. */
export function note(
	world: World,
	site: SiteView,
	operation: HistoryKey,
	changes: Partial<HistoryEntry> = {},
): HistoryEntry {
	const now = Date.now();
	const entry: HistoryEntry = {
		id: `r-${world.history.length + 1}`,
		site: site.id,
		server: null,
		serverName: null,
		siteName: site.name,
		operation,
		username: world.sessions.get(site.id)?.username ?? "",
		startedAt: now,
		endedAt: now,
		parameters: [],
		outcome: "succeeded",
		summary: null,
		note: "",
		upload: null,
		noteParts: textParts(changes.note ?? ""),
		hasReport: false,
		elapsed: 0,
		siteVersion: "",
		programVersion: "0.1.0",
		systemUser: "pat",
		computer: "gis-desk",
		hasCommand: false,
		hasSafetyBackup: false,
		isResolved: false,
		reason: "",
		batch: null,
		...changes,
	};
	world.history.unshift(entry);
	return entry;
}
