import type { Millis, SiteView } from "@/bridge";

/** Returns when an unlocked read-only site locks again; `null` while it is locked. */
export function unlockedUntil(site: SiteView, now: Millis): Millis | null {
	return site.unlockedUntil !== null && site.unlockedUntil > now ? site.unlockedUntil : null;
}
