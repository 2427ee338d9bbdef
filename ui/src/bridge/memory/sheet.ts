import type { Contact, ContactsFileReading, ContactsFileRow, ParticipantView } from "../bindings";
import type { World } from "./world";

/** What the one contact sheet of the small world says: every second participant has a new contact person. */
export function readSheet(world: World, path: string | null): ContactsFileReading {
	if (path === null) return { kind: "dismissed" };
	const file = path.split("/").at(-1) ?? path;
	if (world.sheet) return world.sheet;
	const rows = world.participants.map((participant, at) => row(participant, at + 2, at % 2 === 0));
	const contact = { contactFirstname: "Ana", contactLastname: "", contactEmailAddress: "" };
	const unmatched: ContactsFileRow = {
		line: rows.length + 2,
		named: "Forest service",
		participant: null,
		contact,
		verdict: { kind: "unmatched" },
	};
	return { kind: "read", sheet: { file, encoding: "utf8", ignored: [], rows: [...rows, unmatched] } };
}

function row(participant: ParticipantView, line: number, changes: boolean): ContactsFileRow {
	const { contactFirstname, contactLastname, contactEmailAddress } = participant;
	const present: Contact = { contactFirstname, contactLastname, contactEmailAddress };
	return {
		line,
		named: participant.portalName,
		participant,
		contact: changes ? { ...present, contactFirstname: "Kim" } : present,
		verdict: { kind: changes ? "changes" : "same" },
	};
}
