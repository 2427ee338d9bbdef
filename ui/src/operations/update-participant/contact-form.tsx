import { Paper, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Contact, ParticipantView, SiteId, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { ProblemNotice } from "@/components/notice";
import { RequestPreview } from "@/components/request-preview";
import { ChangeButton, SubmitForm } from "@/components/submit-form";
import { Heading } from "@/components/text";
import { draftKey, useDraft, useFormFaults } from "@/lib/drafts";
import { useParticipants } from "@/lib/queries/site";
import { leftForm, type OperationHandle } from "@/lib/runs";
import { useReadFirst } from "@/lib/use-ask-first";
import {
	AskNoDot,
	changedFields,
	contactFields,
	contactOf,
	Difference,
	errorsOf,
	focusFirst,
	formOf,
	type Order,
	type Result,
} from "./difference";

const draftOf = draftKey<Contact>();

/** Returns the key of an unsent contact of a participant. */
export const contactDraft = (site: SiteId, { collaborationId, participantId }: ParticipantOf) =>
	draftOf(`${site} ${collaborationId} ${participantId}`);

type ParticipantOf = Pick<ParticipantView, "collaborationId" | "participantId">;

interface ContactFormProps {
	site: SiteView;
	participant: ParticipantView;
	listed: boolean;
	handle: OperationHandle<Result, Order>;
}

/** Form with the current contact of a participant. The changes are confirmed before they are sent. */
export function ContactForm({ site, participant, listed, handle }: ContactFormProps) {
	const { t } = useTranslation("updateParticipant");
	const { portalName: portal } = participant;
	const [asked, { open, close }] = useDisclosure();
	const { collaborationId, participantId } = participant;
	const draft = useDraft(contactDraft(site.id, participant));
	const form = useForm<Contact>({
		validate: errorsOf,
		// The form contains the current contact, so that the user only edits it.
		initialValues: draft.kept ?? contactOf(leftOf(handle, participant) ?? participant),
		onValuesChange: (contact) => draft.keep(changedFields(participant, contact).length > 0 ? contact : null),
	});
	useFormFaults(handle.problem, form);
	const shown = useRef(participant);
	const follow = useEffectEvent((before: ParticipantView) => {
		const typed = changedFields(before, form.values);
		// Changed fields keep the user's input; the others follow the portal.
		for (const field of contactFields) if (!typed.includes(field)) form.setFieldValue(field, participant[field]);
	});
	useEffect(() => {
		const before = shown.current;
		shown.current = participant;
		if (changedFields(before, contactOf(participant)).length > 0) follow(before);
	}, [participant]);
	const read = useReadFirst(useParticipants(site.id), (all) => {
		const fresh = all?.find((one) => one.collaborationId === collaborationId && one.participantId === participantId);
		// If another user made the same change meanwhile, there is nothing to send.
		if (!fresh || changed.some((field) => form.values[field].trim() !== fresh[field])) open();
	});
	const changed = changedFields(participant, form.values);
	return (
		<Paper
			withBorder
			p="md"
			component={SubmitForm}
			onSubmit={form.onSubmit(read.ask, (errors) => focusFirst(form, errors))}
		>
			<Stack gap="sm">
				<Stack gap={2}>
					<Heading mod="anywhere">{t("person", { portal })}</Heading>
					<Text c="dimmed" mod="anywhere">
						{participant.collaborationName}
					</Text>
				</Stack>
				{listed ? null : <Text role="status">{t("notListed")}</Text>}
				{contactFields.map((field) => (
					<TextInput
						key={field}
						label={t(field)}
						{...(field === "contactEmailAddress" ? { type: "email" } : {})}
						{...form.getInputProps(field)}
					/>
				))}
				<Text c="dimmed">{t("permission")}</Text>
				<RequestPreview
					site={site}
					form={{ operation: "update_participant", form: [formOf({ participant, contact: form.values })] }}
				/>
				<ChangeButton
					site={site}
					type="submit"
					disabled={changed.length === 0}
					loading={read.isReading}
					w="fit-content"
					maw="100%"
				>
					{t("submit", { portal })}
				</ChangeButton>
				{changed.length === 0 ? <Text c="dimmed">{t("nothing")}</Text> : null}
			</Stack>
			<ProblemNotice problem={read.problem} />
			<ConfirmDialog
				opened={asked}
				onClose={close}
				site={site}
				title={t("confirmTitle", { portal, collaboration: participant.collaborationName })}
				confirm={t("confirm")}
				onConfirm={(_, reason) => {
					const change = formOf({ participant, contact: form.values });
					draft.keep(null);
					handle.start({ kind: "one", form: change, before: contactOf(participant) }, reason);
				}}
			>
				<Text>{t("changesOn", { site: site.name })}</Text>
				<Difference present={participant} wanted={form.values} />
				{changed.includes("contactEmailAddress") ? <AskNoDot addresses={[form.values.contactEmailAddress]} /> : null}
			</ConfirmDialog>
		</Paper>
	);
}

/** Returns the form of a failed or stopped request for this participant. */
function leftOf({ state }: OperationHandle<Result, Order>, { collaborationId, participantId }: ParticipantView) {
	const order = leftForm(state);
	if (order?.kind !== "one") return null;
	const { form } = order;
	return form.collaborationId === collaborationId && form.participantId === participantId ? form : null;
}
