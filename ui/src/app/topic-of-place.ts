import { type HelpTopic, topicOfOperation } from "@/lib/help";
import type { Place } from "@/lib/navigation";

/** Returns the help page about a place, for F1. */
export function topicOfPlace(place: Place): HelpTopic {
	switch (place.page) {
		case "operation":
			return topicOfOperation(place.key);
		case "help":
			return place.topic;
		case "changes":
		case "practice":
		case "history":
		case "settings":
			return place.page;
		case "plans":
		case "edit-plan":
		case "backup-set":
		case "rehearsal":
		case "receipt":
			return "backup-plans";
		case "overview":
		case "sites":
			return "overview";
		case "add-site":
		case "edit-site":
			return "sites";
	}
}
