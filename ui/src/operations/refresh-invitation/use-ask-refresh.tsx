import { useTranslation } from "react-i18next";
import type { InvitationView, SiteView } from "@/bridge";
import { NotAsked } from "@/components/not-asked";
import { formatList } from "@/lib/format";
import { useInvitations } from "@/lib/queries/site";
import { useAskFirst } from "@/lib/use-ask-first";
import { keyOf } from "./order";

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
