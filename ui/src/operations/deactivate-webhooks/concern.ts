import { isActiveAgain } from "@/lib/active-again";
import { type ConcernText, counted, type OwnConcern, type SiteFacts } from "@/lib/concern";

/** Services whose webhooks are deactivated, those of which that is not known, and reminders of them that are due. */
export function deactivatedConcern(t: ConcernText, { deactivations, activeAgain, due }: SiteFacts): OwnConcern[] {
	const open = deactivations.filter(
		(entry) => entry.resolvedAt === null && !isActiveAgain(entry, activeAgain.get(entry.id) ?? []),
	);
	// A service may stand in several entries.
	const known = new Set(open.filter((entry) => entry.known).map(({ service }) => service)).size;
	const maybe = new Set(open.map(({ service }) => service)).size - known;
	const reminded = due.filter(({ about }) => about.kind === "deactivation").length;
	const count = known + maybe || reminded;
	if (count === 0) return [];
	const words = [
		known > 0 ? t("attention.deactivated.words", counted(known)) : null,
		maybe > 0 ? t("attention.deactivated.maybe", counted(maybe)) : null,
		reminded > 0 ? t("attention.deactivated.due", { count: reminded }) : null,
	];
	return [{ key: "deactivated", count, words: words.filter(Boolean).join(" "), act: t("attention.deactivated.act") }];
}
