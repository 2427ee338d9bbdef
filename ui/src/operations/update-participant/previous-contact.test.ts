import { expect, test } from "vitest";
import type { Summary } from "@/bridge";
import { contactBefore } from "./previous-contact";

const sent = [
	{ name: "collaborationId", value: "c1" },
	{ name: "participantId", value: "p1" },
	{ name: "contactEmailAddress", value: "kim@example.net" },
];

function before(contact: string | null, changed = true) {
	const summary: Summary = {
		kind: "contact",
		participant: "Regional Water Board",
		collaboration: "Flood Response",
		before: contact,
		after: "Kim Hale, kim@example.net",
		changed,
	};
	return contactBefore({ summary, parameters: sent } as Parameters<typeof contactBefore>[0]);
}

test.each([
	["Robin Hale, robin@example.net", ["Robin", "Hale", "robin@example.net"]],
	["Robin van der Hale, robin@example.net", ["Robin", "van der Hale", "robin@example.net"]],
	["Hale, Robin, robin@example.net", ["Hale,", "Robin", "robin@example.net"]],
	["Robin, robin@example.net", ["Robin", "", "robin@example.net"]],
	["robin@example.net", ["", "", "robin@example.net"]],
])("the contact %s is offered with its participant", (contact, [first, last, address]) => {
	expect(before(contact)?.parameters).toEqual([
		...sent.slice(0, 2),
		{ name: "contactFirstname", value: first },
		{ name: "contactLastname", value: last },
		{ name: "contactEmailAddress", value: address },
	]);
});

test.each([
	["there was none", before("")],
	["it is not known", before(null)],
	["nothing was changed", before("Robin Hale, robin@example.net", false)],
	["it had no address", before("Robin Hale")],
])("no contact is offered where %s", (_, offered) => {
	expect(offered).toBeNull();
});
