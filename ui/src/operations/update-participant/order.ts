import type { Contact, FieldError, Parameter, ParticipantView, UpdateParticipantForm, UpdateReport } from "@/bridge";
import type { OneOrBatch } from "@/lib/batch-status";
import { parameterOf } from "@/lib/parameter-of";

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

/** Returns the faults that the backend would reject, so that they are shown before the confirmation. */
export function faultsOf(values: Readonly<Record<string, string>>): Record<string, FieldError> {
	const faults: Record<string, FieldError> = {};
	for (const [field, value] of Object.entries(values)) if (value.trim() === "") faults[field] = "required";
	const address = values.contactEmailAddress ?? "";
	if (!faults.contactEmailAddress && !/^[^\s@]+@[^\s.@]([^\s@]*[^\s.@])?$/.test(address.trim())) {
		faults.contactEmailAddress = "notAnEmail";
	}
	return faults;
}
