import type { InvitationView, RefreshInvitationForm, RefreshReport } from "@/bridge";
import type { OneOrBatch } from "@/lib/batch-status";

/** One invitation into a file of its own, or several into one folder. */
export type Order =
	| { kind: "one"; form: RefreshInvitationForm; invitation: InvitationView | null }
	| { kind: "batch"; invitations: readonly InvitationView[] };

export type Result = OneOrBatch<RefreshReport>;

export function formOf({ collaborationId, invitationId }: RefreshInvitationForm): RefreshInvitationForm {
	return { collaborationId, invitationId };
}

/** Tells invitations apart, whatever a portal uses as identifiers. */
export function keyOf({ collaborationId, invitationId }: RefreshInvitationForm): string {
	return `${collaborationId} ${invitationId}`;
}
