import type { DeactivationView, ReactivatedWebhooks } from "@/bridge";

/** The names of an entry's webhooks that are still to be reactivated; none where they are not known. */
export function namesLeft({ left }: DeactivationView): readonly string[] {
	return left?.map(({ name }) => name) ?? [];
}

/** How many webhooks the entries have left to reactivate. One that two entries have is counted once. */
export function countLeft(entries: readonly DeactivationView[]): number {
	return new Set(entries.flatMap(({ service, left }) => left?.map(({ id }) => JSON.stringify([service, id])) ?? []))
		.size;
}

/** Whether all webhooks of an entry are active, so that there is nothing to reactivate. */
export function isActiveAgain({ left, activeAgain }: DeactivationView): boolean {
	return left?.length === 0 && activeAgain.length > 0;
}

/** Whether all webhooks of an import that still exist are active again; `null` if they might be. */
export function areActiveAgain({ failed, unknown, notRead }: ReactivatedWebhooks): boolean | null {
	if (failed.length > 0 || notRead !== null) return false;
	return unknown.length === 0 || null;
}
