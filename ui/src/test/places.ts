import type { Place } from "@/lib/navigation";
import { site } from "./forms-and-dialogs";

/** One place for each page that is no operation. A missing page is a type error. */
export const pages = {
	sites: { page: "sites" },
	"add-site": { page: "add-site" },
	plans: { page: "plans", site: site.id },
	"edit-plan": { page: "edit-plan", site: site.id },
	"backup-set": { page: "backup-set", site: site.id, plan: "nightly", set: "set-1" },
	rehearsal: { page: "rehearsal", site: site.id, plan: "nightly", set: "set-1" },
	receipt: { page: "receipt", site: site.id, record: "r-0" },
	"edit-site": { page: "edit-site", site: site.id },
	overview: { page: "overview", site: site.id },
	changes: { page: "changes", site: site.id },
	practice: { page: "practice", site: site.id },
	history: { page: "history" },
	settings: { page: "settings" },
	help: { page: "help", topic: "start" },
} satisfies Record<Exclude<Place["page"], "operation">, Place>;
