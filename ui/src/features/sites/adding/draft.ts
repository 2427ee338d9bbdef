// Draft of a site that is being added.
//
// Unlike drafts in lib/drafts, which are in memory only, it survives a reload of the window after a crash of the web
// view. Therefore it contains no passwords. When the site is added, the backend has it.
import type { FoundView, SiteForm, SiteId } from "@/bridge";
import { formOf, withoutPasswords } from "@/lib/site-form";

const place = "site-steward.adding";

interface AddDraft {
	pasted: string;
	form: SiteForm;
	found: FoundView | null;
	alone: boolean;
	/** Whether the user enters the URLs by hand. */
	byHand: boolean;
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
