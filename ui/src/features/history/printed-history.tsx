import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, SiteView } from "@/bridge";
import { formatDay, formatExactTime } from "@/lib/format";
import { outcomeNow, useEntryName, useHistoryName } from "@/lib/history-text";
import { useBusySites } from "@/lib/runs";
import { entryText, whoText } from "@/lib/summary-text";
import { serverName, useTargetName } from "@/lib/target";
import { dotted, isolated } from "@/messages/isolated";
import { withReason } from "./brief-summary";
import type { Filters } from "./history-filters";
import classes from "./printed-history.module.css";

interface PrintedHistoryProps {
	entries: readonly HistoryEntry[];
	damaged: number;
	filters: Filters;
	sites: readonly SiteView[];
}

/** Printed list with all results of the search; not shown on screen. */
export function PrintedHistory({ entries, damaged, filters, sites }: PrintedHistoryProps) {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const nameOf = useEntryName();
	const targetOf = useTargetName();
	const busy = useBusySites();
	const chosen = useFilterTexts(filters, sites);
	return createPortal(
		<section className={classes.printed}>
			<h1>{t("title")}</h1>
			<p>
				{dotted(
					...chosen,
					t("count", { count: entries.length }),
					damaged > 0 ? t("damaged.entry", { count: damaged }) : null,
					t("printed", { at: formatExactTime(Date.now()) }),
				)}
			</p>
			<table>
				<thead>
					<tr>
						{(["time", "operation", "site", "who", "outcome", "summary"] as const).map((column) => (
							<th key={column} scope="col">
								{t(column)}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{entries.map((entry) => (
						<tr key={entry.id}>
							<td>{formatExactTime(entry.startedAt)}</td>
							<td>{nameOf(entry)}</td>
							<td>{targetOf(entry) || t("allSites")}</td>
							<td>{whoText(entry)}</td>
							<td>
								{common(`outcome.${outcomeNow(entry, busy)}`)}
								{entry.isResolved ? ` (${t("concluded")})` : ""}
							</td>
							<td>{withReason(entryText(common, entry), entry)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>,
		document.body,
	);
}

/** Returns the active filters, each with the name of its field. */
function useFilterTexts(filters: Filters, sites: readonly SiteView[]): string[] {
	const { t } = useTranslation("history");
	const { t: common } = useTranslation("common");
	const nameOf = useHistoryName();
	const { text, site, server, operation, outcome, username, days } = filters;
	const saved = sites.find(({ id }) => id === site);
	const day = (of: string | null) => (of ? formatDay(new Date(`${of}T00:00:00`).getTime()) : "");
	const chosen: [string, string][] = [
		[t("search"), text.trim()],
		[t("filterSite"), site ? (saved?.name ?? site) : ""],
		[t("filterServer"), saved && server ? serverName(saved, server) : ""],
		[t("operation"), operation ? nameOf(operation) : ""],
		[t("outcome"), outcome ? common(`outcome.${outcome}`) : ""],
		[t("who"), username ?? ""],
		[t("days"), [...new Set(days.map(day))].filter((one) => one !== "").join(" – ")],
	];
	return chosen.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${isolated(value)}`);
}
