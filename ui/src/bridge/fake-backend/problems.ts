import type { FieldError, Problem, SiteId } from "../bindings";

export const wrong = (field: string, fault: FieldError): Problem => ({ kind: "form", field, fault });
export const unexpected = (message: string): Problem => ({ kind: "unexpected", message });
export const signInAt = (site: SiteId): Problem => ({ kind: "signIn", site, server: null });
type Kind = "restoredAlready" | "activeUnknown" | "webhookNotActive" | "searchGone";
export const preconditionFailed = (kind: Kind): Problem => ({
	kind: "preconditionFailed",
	why: { kind },
});
export const refused = (code: number, message: string, details: string[] = []): Problem => ({
	kind: "rejected",
	code,
	message,
	details,
});

/** Throws if an ID from the window does not exist. */
export function there<T>(one: T | undefined, name: string): T {
	if (one === undefined) throw unexpected(`there is no ${name}`);
	return one;
}

export function found<T>(all: readonly T[], holds: (one: T) => boolean, name: string): T {
	return there(all.find(holds), name);
}
