// What was begun when adding a site. It is not one of the drafts of lib/drafts: those are in memory only, and this one
// outlives a reload of the window, which follows a crash of the web view. So it has no passwords. As soon as the site is
// added, the program keeps it.
import type { FoundView, SiteForm, SiteId } from "@/bridge";
import { formOf, withoutPasswords } from "@/lib/site-form";

const place = "site-steward.adding";

interface AddDraft {
	pasted: string;
	form: SiteForm;
	found: FoundView | null;
	/** Whether a federated server is added without its portal, which did not respond. */
	alone: boolean;
	/** Whether the addresses are typed by hand. */
	byHand: boolean;
	/** The site, once it is added. */
	added: SiteId | null;
}

export const emptyDraft: AddDraft = {
	pasted: "",
	form: { ...formOf(null), servers: [] },
	found: null,
	alone: false,
	byHand: false,
	added: null,
};

export function loadDraft(): AddDraft {
	try {
		const kept = sessionStorage.getItem(place);
		return kept === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(kept) as AddDraft) };
	} catch {
		return emptyDraft;
	}
}

export function keepDraft(draft: AddDraft | null): void {
	if (draft === null) sessionStorage.removeItem(place);
	else sessionStorage.setItem(place, JSON.stringify({ ...draft, form: withoutPasswords(draft.form) }));
}
