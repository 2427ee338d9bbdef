import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { RefreshInvitationForm, SiteView } from "@/bridge";
import { ChangeButton } from "@/components/change-button";
import { pageWidths } from "@/components/page";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview } from "@/components/request-preview";
import { SubmitForm } from "@/components/submit-form";
import { draftKey, useDraft } from "@/lib/drafts";
import { parameterOf } from "@/lib/parameter-of";
import { faultOf, useFormFaults } from "@/lib/use-form-faults";
import { useKeptForm } from "@/lib/use-kept-form";
import { leftForm, type OperationHandle } from "@/lib/use-operation";
import { Confirm } from "./confirm";
import type { Order, Result } from "./order";

const draftOf = draftKey<RefreshInvitationForm>();

/** Form for a portal that does not list invitations: the user enters the IDs. */
export function ByIdentifier({ site, handle }: { site: SiteView; handle: OperationHandle<Result, Order> }) {
	const { t } = useTranslation(["refreshInvitation", "common"]);
	const [asked, { open, close }] = useDisclosure();
	const order = leftForm(handle.state);
	const left = order?.kind === "one" ? order.form : null;
	const required = (value: string) => (value.trim() === "" ? faultOf("required") : null);
	const draft = useDraft(draftOf(site.id));
	const form = useKeptForm(draftOf(site.id), {
		// Later corrections in the draft take precedence over the sent form; sending clears the draft.
		initialValues: left ?? { collaborationId: "", invitationId: "" },
		validate: { collaborationId: required, invitationId: required },
	});
	useFormFaults(handle.problem, form);
	const submit = (reason: string) => {
		const { collaborationId, invitationId } = form.values;
		const wanted = { collaborationId: collaborationId.trim(), invitationId: invitationId.trim() };
		draft.keep(null);
		handle.start({ kind: "one", form: wanted, invitation: null }, reason);
	};
	return (
		<SubmitForm onSubmit={form.onSubmit(open)}>
			<Stack maw={pageWidths.form}>
				<Text>{t("identifierHint")}</Text>
				<PreviousValues
					site={site}
					operation="refresh_invitation"
					onFill={(sent) =>
						form.setValues({
							collaborationId: parameterOf(sent, "collaborationId"),
							invitationId: parameterOf(sent, "invitationId"),
						})
					}
				/>
				<TextInput label={t("collaborationId")} spellCheck={false} {...form.getInputProps("collaborationId")} />
				<TextInput label={t("invitationId")} spellCheck={false} {...form.getInputProps("invitationId")} />
				<Text>{t("explain")}</Text>
				<Text c="dimmed">{t("permission")}</Text>
				<RequestPreview site={site} form={{ operation: "refresh_invitation", form: [form.values] }} />
				<Group>
					<ChangeButton site={site} type="submit">
						{t("submit")}
					</ChangeButton>
				</Group>
			</Stack>
			<Confirm opened={asked} onClose={close} site={site} invitations={[]} onConfirm={submit} />
		</SubmitForm>
	);
}
