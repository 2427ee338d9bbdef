import type { InvitationView, RefreshInvitationForm, RefreshReport } from "@/bridge";
import type { OneOrSeveral } from "@/lib/batch-status";

/** One invitation into a file of its own, or several into one folder. */
export type Order =
	| { kind: "one"; form: RefreshInvitationForm; invitation: InvitationView | null }
	| { kind: "several"; invitations: readonly InvitationView[] };

export type Result = OneOrSeveral<RefreshReport>;

export function formOf({ collaborationId, invitationId }: RefreshInvitationForm): RefreshInvitationForm {
	return { collaborationId, invitationId };
}

/** Tells invitations apart, whatever a portal uses as identifiers. */
export function keyOf({ collaborationId, invitationId }: RefreshInvitationForm): string {
	return `${collaborationId} ${invitationId}`;
}
