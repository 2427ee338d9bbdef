import type { DeactivationView } from "@/bridge";

/** Whether all webhooks of an entry are active, so that there is nothing to reactivate. */
export function isActiveAgain({ active }: DeactivationView, now: readonly string[]): boolean {
	return active !== null && active.length > 0 && now.length === active.length;
}
