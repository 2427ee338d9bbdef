import type { DeactivationView, ReactivatedWebhooks } from "@/bridge";

/** Returns the names of an entry's webhooks that are not reactivated yet; none if they are unknown. */
export function namesLeft({ left }: DeactivationView): readonly string[] {
	return left?.map(({ name }) => name) ?? [];
}

/** Returns how many webhooks of the entries are not reactivated yet. A webhook in two entries counts once. */
export function countLeft(entries: readonly DeactivationView[]): number {
	return new Set(entries.flatMap(({ service, left }) => left?.map(({ id }) => JSON.stringify([service, id])) ?? []))
		.size;
}

/** Whether all webhooks of an entry are active, so that nothing is left to reactivate. */
export function isActiveAgain({ left, activeAgain }: DeactivationView): boolean {
	return left?.length === 0 && activeAgain.length > 0;
}

/** Whether all webhooks of an import that still exist are active again; `null` if this is uncertain. */
export function areActiveAgain({ failed, unknown, notRead }: ReactivatedWebhooks): boolean | null {
	if (failed.length > 0 || notRead !== null) return false;
	return unknown.length === 0 || null;
}
