import type { Millis, SiteView } from "@/bridge";

/** Until when a read-only site takes changes; `null` while it is locked. */
export function unlockedUntil(site: SiteView, now: Millis): Millis | null {
	return site.unlockedUntil !== null && site.unlockedUntil > now ? site.unlockedUntil : null;
}
