import type { ConcernText, OwnConcern, SiteFacts } from "./concern";
import { exportAges } from "./export-age";
import { formatAgo } from "./format";
import { unavailableReason } from "./unavailable-text";

/** That the last export of a portal or server is old, if one can be made. */
export function exportConcern(
	t: ConcernText,
	{ site, session, neverVerified }: SiteFacts,
	area: "portal" | "server",
): OwnConcern[] {
	const age = exportAges(site).find((one) => one.area === area);
	if (!age?.old || unavailableReason(session, `export_${area}`)) return [];
	const words = () => {
		if (age.at === null) return t(`attention.${area}.never`);
		const ago = formatAgo(age.at);
		const isUnverified = area === "server" && neverVerified;
		return isUnverified ? t("attention.server.oldUnverified", { ago }) : t(`attention.${area}.old`, { ago });
	};
	return [{ key: area, count: null, words: words(), act: t(`attention.${area}.act`) }];
}
