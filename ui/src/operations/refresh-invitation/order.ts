import type { BatchResult, InvitationView, RefreshInvitationForm, RefreshReport } from "@/bridge";

/** One invitation into a file of its own, or several into one folder. */
export type Order =
	| { kind: "one"; form: RefreshInvitationForm; invitation: InvitationView | null }
	| { kind: "several"; invitations: readonly InvitationView[] };

export type Result = { kind: "one"; report: RefreshReport } | { kind: "several"; report: BatchResult<RefreshReport> };

export function formOf({ collaborationId, invitationId }: RefreshInvitationForm): RefreshInvitationForm {
	return { collaborationId, invitationId };
}

/** Tells invitations apart, whatever a portal uses as identifiers. */
export function keyOf({ collaborationId, invitationId }: RefreshInvitationForm): string {
	return `${collaborationId} ${invitationId}`;
}
