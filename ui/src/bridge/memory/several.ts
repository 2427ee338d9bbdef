import type {
	Outcome,
	Part,
	RefreshInvitationForm,
	RefreshReport,
	RunStep,
	Several,
	UpdateParticipantForm,
	UpdateReport,
} from "../bindings";
import { asProblem } from "../problem";
import { type Deed, refreshInvitation, updateParticipant } from "./operations";
import type { World } from "./world";

function steps(total: number): RunStep[] {
	return Array.from({ length: total }, (_, done) => ({ kind: "several", done, total }));
}

function judge<T>({ parts }: Several<T>): { outcome: Outcome; note: string } {
	const done = parts.filter(({ kind }) => kind === "done").length;
	return { outcome: done === parts.length ? "succeeded" : "warnings", note: `${done} of ${parts.length}` };
}

/** One after the other; a refusal of one says nothing about the next. */
function oneByOne<F, T>(world: World, forms: readonly F[], deed: (form: F) => Deed<T>): Several<T> {
	const parts: Part<T>[] = [];
	let lost = false;
	for (const [at, form] of forms.entries()) {
		const end = world.severalEnds[at];
		if (lost) parts.push({ kind: "notSent" });
		else if (end) parts.push(end as Part<T>);
		else
			try {
				parts.push({ kind: "done", record: null, report: deed(form).work("") });
			} catch (thrown) {
				parts.push({ kind: "refused", problem: asProblem(thrown) });
			}
		lost ||= parts[at]?.kind === "unknown" || parts[at]?.kind === "notSent";
	}
	return {
		stopped: parts.some(({ kind }) => kind === "notSent") && !parts.some(({ kind }) => kind === "unknown"),
		parts,
	};
}

export function updateParticipants(world: World, forms: readonly UpdateParticipantForm[]): Deed<Several<UpdateReport>> {
	return {
		operation: "update_participant",
		parameters: [],
		steps: steps(forms.length),
		work: () => oneByOne(world, forms, (form) => updateParticipant(world, form)),
		judge,
	};
}

export function refreshInvitations(
	world: World,
	forms: readonly RefreshInvitationForm[],
	folder: string,
): Deed<Several<RefreshReport>> {
	return {
		operation: "refresh_invitation",
		parameters: [],
		steps: steps(forms.length),
		work: () => oneByOne(world, forms, (form) => refreshInvitation(world, form, { saveTo: folder })),
		judge,
	};
}
