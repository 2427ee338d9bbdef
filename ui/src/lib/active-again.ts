import type { DeactivationView } from "@/bridge";

/** Whether all webhooks of an entry are active, so that there is nothing to reactivate. */
export function isActiveAgain({ active }: DeactivationView, now: readonly string[]): boolean {
	return active !== null && active.length > 0 && now.length === active.length;
}

/** The names of an entry's webhooks that are not among those that are active now. Two webhooks of one name are two. */
export function stillInactive({ active }: DeactivationView, now: readonly string[]): string[] {
	const left = [...now];
	return (active ?? []).filter((name) => {
		const at = left.indexOf(name);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}
