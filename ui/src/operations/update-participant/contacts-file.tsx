import { Button, Group, Stack, Text } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
	type ContactsFileReading,
	type Problem,
	type SiteView,
	type UpdateParticipantForm,
	useBackend,
} from "@/bridge";
import { Notice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { SaveTable } from "@/components/save-table";
import { Lines } from "@/components/text";
import { useLastContactsBatch, useParticipants } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/use-operation";
import { ContactsFilePreview } from "./contacts-file-preview";
import { useContactsFileFaultText } from "./contacts-file-text";
import { type ContactChange, contactOf, type Order, type Result } from "./order";
import { ContactsFileReport } from "./report";

interface ContactsFilePanelProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	/** Last file that was read. Owned by the parent, so that it outlives the run. */
	reading: ContactsFileReading | null;
	/** Reads the file at a path, or the one that the user selects if the path is `null`. */
	choose: UseMutationResult<ContactsFileReading, Problem, string | null>;
}

/** Changes many contacts with a contacts file, which is previewed before it is sent. */
export function ContactsFilePanel({ site, handle, reading, choose }: ContactsFilePanelProps) {
	const { t } = useTranslation("updateParticipant");
	const backend = useBackend();
	const sheet = reading?.kind === "read" ? reading.sheet : null;
	const button = (
		<Button
			variant={sheet ? "default" : "filled"}
			loading={choose.isPending}
			leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
			onClick={() => choose.mutate(null)}
		>
			{t(reading ? "chooseOther" : "choose")}
		</Button>
	);
	return (
		<Stack>
			{sheet ? null : (
				<Stack maw={pageWidths.form} gap="xs">
					<Text>{t("fileIntro")}</Text>
					<Lines type="ordered" spacing={4} lines={[t("fileStep.save"), t("fileStep.correct"), t("fileStep.choose")]} />
					<Text c="dimmed">{t("permission")}</Text>
				</Stack>
			)}
			{choose.error ? <ProblemNotice problem={choose.error} /> : null}
			{reading?.kind === "unusable" ? <Unusable reading={reading} /> : null}
			{sheet ? (
				<ContactsFilePreview site={site} sheet={sheet} handle={handle} other={button} />
			) : (
				<>
					<Group align="flex-start">
						{button}
						<SaveTable label={t("saveTemplate")} save={() => backend.saveContactsTemplate(site.id)} />
					</Group>
					<LastBatch site={site} handle={handle} />
				</>
			)}
		</Stack>
	);
}

function Unusable({ reading }: { reading: Extract<ContactsFileReading, { kind: "unusable" }> }) {
	const { t } = useTranslation("updateParticipant");
	const { what, advice } = useContactsFileFaultText()(reading.fault);
	return (
		<Notice tone="failed" title={t("unusable", { file: reading.file })}>
			<Text>{what}</Text>
			<Text>{advice}</Text>
		</Notice>
	);
}

interface LastSheetProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
}

/** Result of the last contacts file, if the page was left or reloaded since; renders nothing if none was sent. */
function LastBatch({ site, handle }: LastSheetProps) {
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
