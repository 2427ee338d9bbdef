import type { InvitationView, Millis } from "@/bridge";

export const hour = 3_600_000;

/** What runs out first stands first. */
export const groups = ["expired", "day", "three", "later", "unsaid"] as const;
export type Group = (typeof groups)[number];

/**
 * When an invitation ends by this computer's clock: what is left by the portal's own, counted from when the list
 * came. Where the portal does not say what time it is there, its own word is all there is.
 */
export function endOf({ expiresIn, expiration }: InvitationView, readAt: Millis): Millis | null {
	return expiresIn === null ? expiration : readAt + expiresIn;
}

export function groupOf(end: Millis | null, now: Millis): Group {
	if (end === null) return "unsaid";
	if (end <= now) return "expired";
	if (end - now < 24 * hour) return "day";
	// An invitation that was just refreshed has 72 hours, give or take the way to the portal.
	return end - now <= 72 * hour ? "three" : "later";
}

/** How far the portal's clock is ahead of ours; 0 where that is too little to matter, or not known. */
export function clockAhead(invitations: readonly InvitationView[], readAt: Millis): number {
	for (const { expiresIn, expiration } of invitations) {
		if (expiresIn === null || expiration === null) continue;
		const ahead = expiration - expiresIn - readAt;
		return Math.abs(ahead) < 5 * 60_000 ? 0 : ahead;
	}
	return 0;
}
