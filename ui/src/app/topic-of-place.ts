import { type HelpTopic, topicOfOperation } from "@/lib/help";
import type { Place } from "@/lib/navigation";

/** Help page of each page that is about one thing. */
const topics: Record<Exclude<Place["page"], "operation" | "help">, HelpTopic> = {
	changes: "changes",
	practice: "practice",
	history: "history",
	settings: "settings",
	plans: "backup-plans",
	"edit-plan": "backup-plans",
	"backup-set": "backup-plans",
	rehearsal: "backup-plans",
	receipt: "backup-plans",
	overview: "overview",
	sites: "overview",
	"add-site": "sites",
	"edit-site": "sites",
};

/** Returns the help page about a place, for F1. */
export function topicOfPlace(place: Place): HelpTopic {
	if (place.page === "operation") return topicOfOperation(place.key);
	return place.page === "help" ? place.topic : topics[place.page];
}
