import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ParticipantView, SiteView } from "@/bridge";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { formatList, formatNumber } from "@/lib/format";
import { useParticipants } from "@/lib/queries/site";
import { useReadFirst } from "@/lib/use-read-first";
import { type ContactChange, changedFields, contactOf } from "./order";

/** Participants that are named; the rows have them all. */
const named = 5;

/** Reads the contacts again before it asks whether these are changed; `news` says why it asks nothing. */
export function useAskChanges(site: SiteView, changes: readonly ContactChange[]) {
	const { t } = useTranslation("updateParticipant");
	const [isAsked, { open, close }] = useDisclosure();
	/** Those for which the button was pressed. */
	const wanted = useRef(changes);
	/** Those that the portal has other values for than the file was compared with: then nothing is asked. */
	const [stale, setStale] = useState<readonly string[]>([]);
	const read = useReadFirst(useParticipants(site.id), (fresh) => {
		const others = wanted.current
			.filter(({ participant }) => !isAsRead(participant, fresh))
			.map(({ participant }) => participant.portalName);
		setStale(others);
		if (others.length === 0) open();
	});
	const ask = () => {
		setStale([]);
		wanted.current = changes;
		read.ask();
	};
	const news = (
		<>
			{read.problem ? <ProblemNotice problem={read.problem} /> : null}
			{stale.length > 0 ? (
				<Notice
					tone="warnings"
					role="alert"
					title={t("staleContacts", { count: stale.length, formatted: formatNumber(stale.length) })}
				>
					<Text style={{ overflowWrap: "anywhere" }}>
						{t("staleContactsWhat", { participants: formatList(stale.slice(0, named)) })}
					</Text>
				</Notice>
			) : null}
		</>
	);
	return { ask, isReading: read.isReading, isAsked, close, news };
}

/** Whether the portal still lists the participant with the contact that the file was compared with. */
function isAsRead(participant: ParticipantView, fresh: readonly ParticipantView[] | undefined): boolean {
	const now = fresh?.find(
		({ collaborationId, participantId }) =>
			collaborationId === participant.collaborationId && participantId === participant.participantId,
	);
	return now !== undefined && changedFields(now, contactOf(participant)).length === 0;
}
