import type { ContactsFileRow } from "../bindings";
import type { Doings } from "./answer";
import { oneByOne } from "./batch";
import { type Deeds, fine, parameters } from "./deeds";
import { nameOfFile, savedFile } from "./dialogs";
import { refused } from "./problems";
import { siteIn, type World } from "./world";

type Single = Pick<Deeds, "updateParticipant" | "refreshInvitation">;

/** Changes of participants and invitations, single or in a batch. */
export function collaborating(world: World) {
	/** Refreshes an invitation and saves its file in a folder. */
	const refreshing =
		(saveTo: string | null): Single["refreshInvitation"] =>
		(_site, form) => {
			const { invitationId } = form;
			return {
				operation: "refresh_invitation",
				parameters: parameters({ ...form }),
				steps: [{ kind: "waiting" }, { kind: "asking" }, { kind: "saving" }],
				work: () => {
					const invitation = world.invitations.find((one) => one.invitationId === invitationId);
					if (!invitation) throw refused(404, `The invitation ${invitationId} was not found.`);
					const expiration = Date.now() + 72 * 3_600_000;
					Object.assign(invitation, { expiration, status: "pending" });
					const fileName = `${invitationId}.invite`;
					const saving = savedFile({ dialogs: { ...world.dialogs, saveTo } }, fileName, 2_310);
					return { fileName, expiration, isExtended: true, kept: invitationId, saving };
				},
				judge: ({ saving }) => fine(saving.kind === "saved" ? saving.file.path : ""),
			};
		};

	const updateParticipant: Single["updateParticipant"] = (_site, form) => {
		const { collaborationId, participantId, ...contact } = form;
		return {
			operation: "update_participant",
			parameters: parameters({ ...form }),
			work: () => {
				const participant = world.participants.find(
					(one) => one.collaborationId === collaborationId && one.participantId === participantId,
				);
				if (!participant) throw refused(404, `The participant ${participantId} was not found.`);
				Object.assign(participant, contact);
				return { collaborationId, portalId: participantId, shown: { kind: "asSent" }, warnings: [] };
			},
			judge: ({ portalId }) => fine(portalId),
		};
	};

	return {
		updateParticipant,
		updateParticipants: (site, forms) => {
			const batch = oneByOne(
				world,
				site,
				forms.map((form) => updateParticipant(site, form)),
			);
			return {
				...batch,
				operation: "update_participant",
				work: (entry) => {
					const report = batch.work(entry);
					world.contactRuns.set(site.id, { at: Date.now(), forms, report });
					return report;
				},
			};
		},
		refreshInvitation: (site, form) => refreshing(world.dialogs.saveTo)(site, form),
		refreshInvitations: (site, forms) => {
			const folder = world.dialogs.chosenFolder;
			const deeds = forms.map((form) => refreshing(folder)(site, form));
			return { ...oneByOne(world, site, deeds), operation: "refresh_invitation", dismissed: folder === null };
		},
	} satisfies Partial<Deeds>;
}

/** Contacts file in which every second participant has a new contact person. */
export function contactsFiles(world: World) {
	function rows(): ContactsFileRow[] {
		const listed = world.participants.map((participant, at): ContactsFileRow => {
			const { portalName: named, contactFirstname, contactLastname, contactEmailAddress } = participant;
			const changes = at % 2 === 0;
			return {
				line: at + 2,
				named,
				participant,
				contact: { contactFirstname: changes ? "Kim" : contactFirstname, contactLastname, contactEmailAddress },
				verdict: { kind: changes ? "changes" : "same" },
			};
		});
		const contact = { contactFirstname: "Ana", contactLastname: "", contactEmailAddress: "" };
		const line = listed.length + 2;
		return [...listed, { line, named: "Forest service", participant: null, contact, verdict: { kind: "unmatched" } }];
	}

	return {
		readContactsFile: (_site, dropped) => {
			const path = dropped ?? world.dialogs.sheet;
			if (path === null) return { kind: "dismissed" };
			const sheet = { file: nameOfFile(path), encoding: "utf8" as const, ignored: [] };
			return world.sheet ?? { kind: "read", sheet: { ...sheet, rows: rows() } };
		},
		saveContactsTemplate: (id) => savedFile(world, `Contacts of ${siteIn(world, id).name}.csv`, 4_180),
	} satisfies Partial<Doings>;
}
