import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { SiteView, UpdateParticipantForm } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview } from "@/components/request-preview";
import { ChangeButton, SubmitForm } from "@/components/submit-form";
import { draftKey, labelled, useDraft, useFormFaults } from "@/lib/drafts";
import { leftForm, type OperationHandle } from "@/lib/runs";
import { useKeptForm } from "@/lib/use-kept-form";
import { AskNoDot, Difference, faultsOf, type Order, type Result, sentIn } from "./difference";

const draftOf = draftKey<UpdateParticipantForm>();

/** Form for a portal that does not list participants: the user enters the IDs. */
export function ByIdentifier({ site, handle }: { site: SiteView; handle: OperationHandle<Result, Order> }) {
	const { t } = useTranslation(["updateParticipant", "common"]);
	const [asked, { open, close }] = useDisclosure();
	const order = leftForm(handle.state);
	const left = order?.kind === "one" ? order.form : null;
	const draft = useDraft(draftOf(site.id));
	// Later corrections in the draft take precedence over the sent form; sending clears the draft.
	const form = useKeptForm(draftOf(site.id), { initialValues: left ?? sentIn([]) });
	useFormFaults(handle.problem, form);
	const { participantId, collaborationId } = form.values;
	const ask = (values: UpdateParticipantForm) => {
		const faults = Object.entries(faultsOf({ ...values }));
		form.setErrors(Object.fromEntries(faults.map(([field, fault]) => [field, t(`common:fault.${fault}`)])));
		const first = faults[0];
		if (first) form.getInputNode(first[0])?.focus();
		else open();
	};
	return (
		<SubmitForm onSubmit={form.onSubmit(ask)}>
			<Stack maw={pageWidths.form}>
				<Text>{t("identifierHint")}</Text>
				<PreviousValues site={site} operation="update_participant" onFill={(sent) => form.setValues(sentIn(sent))} />
				<TextInput label={t("collaborationId")} {...form.getInputProps("collaborationId")} />
				<TextInput {...labelled(t, "participantId")} {...form.getInputProps("participantId")} />
				<Group grow align="flex-start">
					<TextInput label={t("contactFirstname")} {...form.getInputProps("contactFirstname")} />
					<TextInput label={t("contactLastname")} {...form.getInputProps("contactLastname")} />
				</Group>
				<TextInput type="email" label={t("contactEmailAddress")} {...form.getInputProps("contactEmailAddress")} />
				<Text c="dimmed">{t("permission")}</Text>
				<RequestPreview site={site} form={{ operation: "update_participant", form: [form.values] }} />
				<Group>
					<ChangeButton site={site} type="submit">
						{t("submitIdentifier")}
					</ChangeButton>
				</Group>
			</Stack>
			<ConfirmDialog
				opened={asked}
				onClose={close}
				site={site}
				title={t("confirmTitle", { portal: participantId, collaboration: collaborationId })}
				confirm={t("confirm")}
				onConfirm={(_, reason) => {
					draft.keep(null);
					handle.start({ kind: "one", form: form.values, before: null }, reason);
				}}
			>
				<Text>{t("presentUnknown", { site: site.name })}</Text>
				<Difference present={null} wanted={form.values} />
				<AskNoDot addresses={[form.values.contactEmailAddress]} />
			</ConfirmDialog>
		</SubmitForm>
	);
}
