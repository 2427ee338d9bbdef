import { expect, test } from "vitest";
import type { Summary } from "@/bridge";
import { contactBefore } from "./recovery";

const sent = [
	{ name: "collaborationId", value: "c1" },
	{ name: "participantId", value: "p1" },
	{ name: "contactEmailAddress", value: "kim@example.net" },
];

function before([first, last, address]: [string, string, string], { changed = true, listed = true } = {}) {
	const shown = [`${first} ${last}`.trim(), address].filter((part) => part !== "").join(", ");
	const summary: Summary = {
		kind: "contact",
		participant: "Regional Water Board",
		collaboration: "Flood Response",
		before: listed ? shown : null,
		after: "Kim Hale, kim@example.net",
		changed,
	};
	const known = [
		{ name: "previousContactFirstname", value: first },
		{ name: "previousContactLastname", value: last },
		{ name: "previousContactEmailAddress", value: address },
	];
	const parameters = [...sent, ...(listed ? known : [])];
	return contactBefore({ summary, parameters } as Parameters<typeof contactBefore>[0]);
}

test.each<[string, string, string]>([
	["Robin", "Hale", "robin@example.net"],
	["Robin van", "der Hale, MSc", "robin@example.net"],
	["Robin", "", "robin@example.net"],
	["", "", "robin@example.net"],
])("the contact %s %s, %s is offered as it was, with its participant", (...contact) => {
	expect(before(contact)?.parameters).toEqual([
		...sent.slice(0, 2),
		{ name: "contactFirstname", value: contact[0] },
		{ name: "contactLastname", value: contact[1] },
		{ name: "contactEmailAddress", value: contact[2] },
	]);
});

test.each([
	["there was none", before(["", "", ""])],
	["it is not known", before(["", "", ""], { listed: false })],
	["nothing was changed", before(["Robin", "Hale", "robin@example.net"], { changed: false })],
	["it had no address", before(["Robin", "Hale", ""])],
])("no contact is offered where %s", (_, offered) => {
	expect(offered).toBeNull();
});
