import { useSyncExternalStore } from "react";
import { type Millis, type OperationKey, operations, type SiteView } from "@/bridge";

/** Whether the operation changes the site. Exports do not. */
export function changesSite(key: OperationKey): boolean {
	return operations.some((one) => one.key === key && (one.impact === "changes" || one.impact === "replaces"));
}

/** Whether the site is read-only and locked. */
export function useReadOnly(site: SiteView | null): boolean {
	// Only an unlocked site changes by itself: it locks again after a time.
	const changes = site?.readOnly === true && site.unlockedUntil !== null;
	return useSyncExternalStore(
		changes ? everySecond : never,
		() => site?.readOnly === true && unlockedUntil(site, Date.now()) === null,
	);
}

const never = () => () => {};

function everySecond(look: () => void): () => void {
	const timer = setInterval(look, 1_000);
	return () => clearInterval(timer);
}

/** Returns when an unlocked read-only site locks again; `null` while it is locked. */
export function unlockedUntil(site: SiteView, now: Millis): Millis | null {
	return site.unlockedUntil !== null && site.unlockedUntil > now ? site.unlockedUntil : null;
}
