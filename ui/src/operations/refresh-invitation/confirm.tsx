import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { InvitationView, Millis, RefreshInvitationForm, RefreshReport, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { NotAsked } from "@/components/not-asked";
import { Lines, LongList } from "@/components/text";
import type { OneOrBatch } from "@/lib/batch-status";
import { formatList } from "@/lib/format";
import { useInvitations } from "@/lib/queries/site";
import { useAskFirst } from "@/lib/use-ask-first";

interface ConfirmProps {
	opened: boolean;
	onClose: () => void;
	site: SiteView;
	/** Empty if only the IDs of the invitation are known. */
	invitations: readonly InvitationView[];
	onConfirm: (reason: string) => void;
}

/** Confirmation before invitations are refreshed. */
export function Confirm({ opened, onClose, site, invitations, onConfirm }: ConfirmProps) {
	const { t } = useTranslation("refreshInvitation");
	const count = Math.max(1, invitations.length);
	return (
		<ConfirmDialog
			opened={opened}
			onClose={onClose}
			site={site}
			title={t("confirmTitle", { count, site: site.name })}
			confirm={t("confirm")}
			onConfirm={(_, reason) => onConfirm(reason)}
		>
			{invitations.length > 0 ? (
				<LongList label={t("table")}>
					<Lines
						spacing={4}
						lines={invitations.map(({ guestPortalUrl: guest, collaborationName: collaboration }) =>
							t("for", { guest, collaboration }),
						)}
					/>
				</LongList>
			) : null}
			<Text>{t(count > 1 ? "explainSeveral" : "explain")}</Text>
		</ConfirmDialog>
	);
}

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

export const hour = 3_600_000;

/** Groups of invitations, in the order of expiration. */
const groups = ["expired", "day", "three", "later", "unsaid"] as const;
export type Urgency = (typeof groups)[number];

/**
 * Returns when an invitation expires by the clock of this computer: the remaining time at the portal, added to the time
 * at which the list was read. Without a remaining time, the expiration of the portal is used.
 */
export function endOf({ expiresIn, expiration }: InvitationView, readAt: Millis): Millis | null {
	return expiresIn === null ? expiration : readAt + expiresIn;
}

export function groupOf(end: Millis | null, now: Millis): Urgency {
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

/** Confirmation of a refresh. It does not open if the portal no longer lists an invitation; `news` explains why. */
export function useAskRefresh(site: SiteView, invitations: readonly InvitationView[]) {
	const { t } = useTranslation("refreshInvitation");
	const asking = useAskFirst(invitations, useInvitations(site.id), (one, fresh) =>
		fresh.some((now) => keyOf(now) === keyOf(one)),
	);
	const news = (
		<NotAsked
			asking={asking}
			title={(count) => t("gone", { count })}
			text={(gone) => t("goneWhat", { invitations: formatList(gone.map(({ guestPortalUrl }) => guestPortalUrl)) })}
		/>
	);
	return { ...asking, news };
}
