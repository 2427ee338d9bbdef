import { Group, Stack, Table, Text } from "@mantine/core";
import type { FormErrors, UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle, IconArrowRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Contact, Parameter, ParticipantView, SiteView, UpdateParticipantForm, UpdateReport } from "@/bridge";
import { NotAsked } from "@/components/not-asked";
import { WithIcon } from "@/components/outcome";
import { Breakable, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import type { OneOrBatch } from "@/lib/batch-status";
import { faultOf } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import { useParticipants } from "@/lib/queries/site";
import { useAskFirst } from "@/lib/use-ask-first";

interface DifferenceProps {
	/** `null` if the portal does not report the contact. */
	present: Contact | null;
	wanted: Contact;
}

/** Changed fields with their current and new values. */
export function Difference({ present, wanted }: DifferenceProps) {
	const { t } = useTranslation("updateParticipant");
	const none = { contactFirstname: "", contactLastname: "", contactEmailAddress: "" };
	return (
		<Table withTableBorder aria-label={t("difference")} layout="fixed">
			<Heads of={[[t("field"), { w: 115 }], ...(present ? [t("before")] : []), t("after")]} />
			<Table.Tbody>
				{changedFields(present ?? none, wanted).map((field) => (
					<Table.Tr key={field}>
						<Table.Td>{t(field)}</Table.Td>
						{present ? (
							<Table.Td mod="anywhere">
								<Breakable>{present[field] || t("noContact")}</Breakable>
							</Table.Td>
						) : null}
						<Table.Td mod="anywhere" fw={600}>
							<Breakable>{wanted[field].trim()}</Breakable>
						</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}

/** Changed fields as lines of a table cell. */
export function DifferenceLines({ present, wanted }: { present: Contact; wanted: Contact }) {
	const { t } = useTranslation("updateParticipant");
	return (
		<Stack gap={2}>
			{changedFields(present, wanted).map((field) => (
				<Group key={field} gap="xs" fz="sm" wrap="nowrap" align="baseline" mod="anywhere">
					<Small span w={125} flex="none">
						{t(field)}
					</Small>
					<Group gap="xs" miw={0}>
						<Text span c="dimmed" miw={0}>
							<Breakable>{present[field] || t("noContact")}</Breakable>
						</Text>
						<IconArrowRight size={14} color="var(--mantine-color-dimmed)" role="img" aria-label={t("becomes")} />
						<Text span fw={600} miw={0}>
							<Breakable>{wanted[field].trim()}</Breakable>
						</Text>
					</Group>
				</Group>
			))}
		</Stack>
	);
}

/** Number of addresses shown. */
const shownAddresses = 5;

/** Warning about email addresses whose domain has no dot, which are often typing errors. */
export function AskNoDot({ addresses }: { addresses: readonly string[] }) {
	const { t } = useTranslation("updateParticipant");
	const odd = addresses.map((address) => address.trim()).filter((address) => /@[^.]+$/.test(address));
	if (odd.length === 0) return null;
	const shown = odd.length > shownAddresses ? [...odd.slice(0, shownAddresses), "…"] : odd;
	return (
		<WithIcon role="status" icon={IconAlertTriangle} color="var(--tone-warnings)">
			{t("noDot", { count: odd.length, addresses: formatList(shown) })}
		</WithIcon>
	);
}

export const contactFields = ["contactFirstname", "contactLastname", "contactEmailAddress"] as const;
type ContactField = (typeof contactFields)[number];

export interface ContactChange {
	participant: ParticipantView;
	contact: Contact;
}

/** Request for one contact, or for all changes of a contacts file. */
export type Order =
	/** `before`: contact that the portal listed; `null` if it does not list participants. */
	| { kind: "one"; form: UpdateParticipantForm; before: Contact | null }
	| { kind: "batch"; changes: readonly ContactChange[] };

export type Result = OneOrBatch<UpdateReport>;

export function formOf({ participant, contact }: ContactChange): UpdateParticipantForm {
	const { collaborationId, participantId } = participant;
	return { collaborationId, participantId, ...contact };
}

export function contactOf({ contactFirstname, contactLastname, contactEmailAddress }: Contact): Contact {
	return { contactFirstname, contactLastname, contactEmailAddress };
}

/** Returns the form of an earlier request. */
export function sentIn(parameters: readonly Parameter[]): UpdateParticipantForm {
	return {
		collaborationId: parameterOf(parameters, "collaborationId"),
		participantId: parameterOf(parameters, "participantId"),
		contactFirstname: parameterOf(parameters, "contactFirstname"),
		contactLastname: parameterOf(parameters, "contactLastname"),
		contactEmailAddress: parameterOf(parameters, "contactEmailAddress"),
	};
}

/** Returns the fields whose value differs after the request. */
export function changedFields(present: Contact, wanted: Contact): ContactField[] {
	return contactFields.filter((field) => wanted[field].trim() !== present[field]);
}

export function nameOf({ contactFirstname, contactLastname }: Contact): string {
	return `${contactFirstname} ${contactLastname}`.trim();
}

/** Returns the errors of a form for which the backend would reject it, so that they are shown before the confirmation. */
export function errorsOf(values: object): FormErrors {
	const errors: FormErrors = {};
	for (const [field, value] of Object.entries(values)) if (value.trim() === "") errors[field] = faultOf("required");
	const address = "contactEmailAddress" in values ? String(values.contactEmailAddress).trim() : "";
	if (address !== "" && !/^[^\s@]+@[^\s.@]([^\s@]*[^\s.@])?$/.test(address)) {
		errors.contactEmailAddress = faultOf("notAnEmail");
	}
	return errors;
}

/** Focuses the first field with an error. */
export function focusFirst(form: Pick<UseFormReturnType<object>, "getInputNode">, errors: FormErrors): void {
	form.getInputNode(Object.keys(errors)[0] ?? "")?.focus();
}

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
