import { useTranslation } from "react-i18next";
import type { ParticipantView, SiteView } from "@/bridge";
import { NotAsked } from "@/components/not-asked";
import { formatList } from "@/lib/format";
import { useParticipants } from "@/lib/queries/site";
import { useAskFirst } from "@/lib/use-ask-first";
import { type ContactChange, changedFields, contactOf } from "./order";

/** Participants named; the rows show all. */
const namedParticipants = 5;

/**
 * Confirmation of the changes. It does not open if the portal no longer has the contacts that the file was compared
 * with; `news` explains why.
 */
export function useAskChanges(site: SiteView, changes: readonly ContactChange[]) {
	const { t } = useTranslation("updateParticipant");
	const asking = useAskFirst(changes, useParticipants(site.id), ({ participant }, fresh) =>
		isAsRead(participant, fresh),
	);
	const namesOf = (stale: readonly ContactChange[]) =>
		formatList(stale.slice(0, namedParticipants).map(({ participant }) => participant.portalName));
	const news = (
		<NotAsked
			asking={asking}
			title={(count) => t("staleContacts", { count })}
			text={(stale) => t("staleContactsWhat", { participants: namesOf(stale) })}
		/>
	);
	return { ...asking, news };
}

/** Whether the portal still lists the participant with the contact that the file was compared with. */
function isAsRead(participant: ParticipantView, fresh: readonly ParticipantView[]): boolean {
	const now = fresh.find(
		({ collaborationId, participantId }) =>
			collaborationId === participant.collaborationId && participantId === participant.participantId,
	);
	return now !== undefined && changedFields(now, contactOf(participant)).length === 0;
}
