import { Button, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { ParticipantView, SiteView, UpdateParticipantForm, UpdateReport } from "@/bridge";
import { SentPreview } from "@/components/sent-preview";
import { useFaults } from "@/lib/use-faults";
import type { OperationHandle } from "@/lib/use-operation";

const fields = ["contactFirstname", "contactLastname", "contactEmailAddress"] as const;
type Contact = Record<(typeof fields)[number], string>;

interface ContactFormProps {
	site: SiteView;
	participant: ParticipantView;
	handle: OperationHandle<UpdateReport, UpdateParticipantForm>;
}

/** The present contact, ready to be corrected, and the difference before it is sent. */
export function ContactForm({ site, participant, handle }: ContactFormProps) {
	const { t } = useTranslation("updateParticipant");
	const { collaborationId, participantId, portalName } = participant;
	const { state } = handle;
	// What was refused is there to be corrected, not to be typed again.
	const refused = state.kind === "problem" && state.form.participantId === participantId ? state.form : null;
	const form = useForm<Contact>({ initialValues: contactOf(refused ?? participant) });
	useFaults(form, handle.faults);
	const changed = fields.filter((field) => form.values[field].trim() !== participant[field]);
	return (
		<form
			noValidate
			onSubmit={form.onSubmit((contact) => handle.start({ collaborationId, participantId, ...contact }))}
		>
			<Stack maw={720}>
				<Title order={2} size="h4">
					{t("person", { portal: portalName })}
				</Title>
				<Group grow align="flex-start">
					<TextInput label={t("contactFirstname")} {...form.getInputProps("contactFirstname")} />
					<TextInput label={t("contactLastname")} {...form.getInputProps("contactLastname")} />
				</Group>
				<TextInput
					type="email"
					label={t("contactEmailAddress")}
					spellCheck={false}
					{...form.getInputProps("contactEmailAddress")}
				/>
				{changed.length > 0 ? <Difference participant={participant} values={form.values} changed={changed} /> : null}
				<SentPreview
					site={site}
					path={`/sharing/rest/portals/…/collaborations/${collaborationId}/participants/${participantId}/updateInfo`}
					parameters={fields.map((name) => ({ name, value: form.values[name] }))}
				/>
				<Group>
					<Button type="submit" disabled={changed.length === 0}>
						{t("submit", { portal: portalName })}
					</Button>
					{changed.length === 0 ? (
						<Text size="sm" c="dimmed">
							{t("nothing")}
						</Text>
					) : null}
				</Group>
			</Stack>
		</form>
	);
}

interface DifferenceProps {
	participant: ParticipantView;
	values: Contact;
	changed: readonly (keyof Contact)[];
}

function Difference({ participant, values, changed }: DifferenceProps) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Table withTableBorder aria-label={t("difference")} layout="fixed">
			<Table.Thead>
				<Table.Tr>
					<Table.Th>{t("field")}</Table.Th>
					<Table.Th>{t("before")}</Table.Th>
					<Table.Th>{t("after")}</Table.Th>
				</Table.Tr>
			</Table.Thead>
			<Table.Tbody>
				{changed.map((field) => (
					<Table.Tr key={field}>
						<Table.Td>{t(field)}</Table.Td>
						<Table.Td style={{ overflowWrap: "anywhere" }}>{participant[field]}</Table.Td>
						<Table.Td style={{ overflowWrap: "anywhere" }} fw={600}>
							{values[field].trim()}
						</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}

function contactOf({ contactFirstname, contactLastname, contactEmailAddress }: Contact): Contact {
	return { contactFirstname, contactLastname, contactEmailAddress };
}
