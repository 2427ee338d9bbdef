import type { Problem, Reminder } from "../bindings";
import type { Doings } from "./answer";
import { siteIn, type World } from "./world";

/** The deactivation log, and what is due of it. */
export function deactivated(world: World) {
	return {
		listDeactivations: (id) => world.silences.filter(({ site }) => site === id),
		remindMe: (entry, at) => {
			for (const silence of world.silences) if (silence.id === entry) silence.remindAt = at;
		},
		resolveDeactivation: (id, entry) => {
			const silence = world.silences.find((one) => one.id === entry);
			if (!silence || silence.restoredAt !== null) {
				throw { kind: "preconditionFailed", why: { kind: "restoredAlready" } } satisfies Problem;
			}
			Object.assign(silence, { restoredAt: Date.now(), restoredBy: siteIn(world, id).username, byHand: true });
		},
		reminders: () =>
			world.silences.flatMap(({ id, site, service, remindAt, restoredAt }): Reminder[] =>
				remindAt !== null && restoredAt === null && remindAt <= Date.now()
					? [{ site, at: remindAt, about: { kind: "deactivation", entry: id, service } }]
					: [],
			),
	} satisfies Partial<Doings>;
}
