import type { SiteView, UpdateParticipantForm } from "@/bridge";
import { useLastContactsBatch, useParticipants } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/use-operation";
import { ContactsFileReport } from "./contacts-file-report";
import { type ContactChange, contactOf, type Order, type Result } from "./order";

interface LastSheetProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
}

/** Result of the last contacts file, if the page was left or reloaded since; renders nothing if none was sent. */
export function LastBatch({ site, handle }: LastSheetProps) {
	const last = useLastContactsBatch(site.id).data;
	const participants = useParticipants(site.id).data ?? [];
	if (!last) return null;
	const changeOf = (form: UpdateParticipantForm): ContactChange => {
		const { collaborationId, participantId } = form;
		const participant = participants.find(
			(one) => one.collaborationId === collaborationId && one.participantId === participantId,
		);
		return { participant: participant ?? unlisted(form), contact: contactOf(form) };
	};
	return (
		<ContactsFileReport
			site={site}
			at={last.at}
			changes={last.forms.map(changeOf)}
			report={last.report}
			onAgain={(changes, reason) => handle.start({ kind: "batch", changes }, reason)}
		/>
	);
}

/** Returns a change of a participant that the portal does not list. */
function unlisted(form: UpdateParticipantForm): ContactChange["participant"] {
	const { collaborationId, participantId } = form;
	return {
		...form,
		collaborationName: collaborationId,
		portalName: participantId,
		portalUrl: "",
		role: "",
		status: "",
		hostedElsewhere: null,
		gap: null,
	};
}
