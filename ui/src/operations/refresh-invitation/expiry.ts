import type { TFunction } from "i18next";
import type { InvitationView, Millis } from "@/bridge";

export const hour = 3_600_000;

/** In the order of expiration. */
export const groups = ["expired", "day", "three", "later", "unsaid"] as const;
export type Group = (typeof groups)[number];

/**
 * Returns when an invitation expires by the clock of this computer: the remaining time at the portal, added to the time
 * at which the list was read. Without a remaining time, the expiration of the portal is used.
 */
export function endOf({ expiresIn, expiration }: InvitationView, readAt: Millis): Millis | null {
	return expiresIn === null ? expiration : readAt + expiresIn;
}

export function groupOf(end: Millis | null, now: Millis): Group {
	if (end === null) return "unsaid";
	if (end <= now) return "expired";
	if (end - now < 24 * hour) return "day";
	// A refreshed invitation has at most 72 hours left.
	return end - now <= 72 * hour ? "three" : "later";
}

/** Returns how far the portal's clock is ahead, in milliseconds; 0 if it is less than five minutes or unknown. */
export function clockAhead(invitations: readonly InvitationView[], readAt: Millis): number {
	for (const { expiresIn, expiration } of invitations) {
		if (expiresIn === null || expiration === null) continue;
		const ahead = expiration - expiresIn - readAt;
		return Math.abs(ahead) < 5 * 60_000 ? 0 : ahead;
	}
	return 0;
}

/** Returns the status of an invitation. Unknown ones are shown unchanged. */
export function statusText(t: TFunction<"refreshInvitation">, status: string): string {
	return status === "host_created" ? t("hostCreated") : status;
}
