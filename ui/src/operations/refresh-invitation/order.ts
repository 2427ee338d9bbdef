import type { InvitationView, RefreshInvitationForm, RefreshReport } from "@/bridge";
import type { OneOrBatch } from "@/lib/batch-status";

/** Request for one invitation with a file of its own, or for several with a folder. */
export type Order =
	| { kind: "one"; form: RefreshInvitationForm; invitation: InvitationView | null }
	| { kind: "batch"; invitations: readonly InvitationView[] };

export type Result = OneOrBatch<RefreshReport>;

export function formOf({ collaborationId, invitationId }: RefreshInvitationForm): RefreshInvitationForm {
	return { collaborationId, invitationId };
}

/** Returns a key that is unique among invitations. */
export function keyOf({ collaborationId, invitationId }: RefreshInvitationForm): string {
	return `${collaborationId} ${invitationId}`;
}
