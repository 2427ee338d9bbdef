import type {
	BatchItemResult,
	BatchResult,
	Outcome,
	RefreshInvitationForm,
	RefreshReport,
	RunStep,
	SiteView,
	UpdateParticipantForm,
	UpdateReport,
} from "../bindings";
import { asProblem } from "../problem";
import { note } from "./history";
import { type Deed, refreshInvitation, updateParticipant } from "./operations";
import type { World } from "./world";

const outcomes: Record<BatchItemResult<unknown>["kind"], Outcome> = {
	done: "succeeded",
	refused: "failed",
	unknown: "unknown",
	notSent: "notSent",
};

/** One after the other, each with its own record; a refusal of one says nothing about the next. */
function oneByOne<F, T>(
	world: World,
	site: SiteView,
	forms: readonly F[],
	deed: (form: F) => Deed<T>,
): Pick<Deed<BatchResult<T>>, "unrecorded" | "parameters" | "steps" | "work" | "judge"> {
	const deeds = forms.map(deed);
	function partOf({ operation, parameters, work }: Deed<T>, given: BatchItemResult<never> | null): BatchItemResult<T> {
		const entry = note(world, site, operation, { parameters, hasCommand: true });
		try {
			const part = given ?? { kind: "done" as const, record: entry.id, report: work(entry.id, null) };
			entry.outcome = outcomes[part.kind];
			return part;
		} catch (thrown) {
			entry.outcome = "failed";
			return { kind: "refused", problem: asProblem(thrown) };
		}
	}
	return {
		unrecorded: true,
		parameters: [],
		steps: forms.map((_, done): RunStep => ({ kind: "several", done, total: forms.length })),
		work: () => {
			const parts: BatchItemResult<T>[] = [];
			for (const [at, deed] of deeds.entries()) {
				const before = parts.at(-1)?.kind;
				const isOver = before === "unknown" || before === "notSent";
				parts.push(isOver ? { kind: "notSent" } : partOf(deed, world.severalEnds[at] ?? null));
			}
			const kinds = new Set(parts.map(({ kind }) => kind));
			return { stopped: kinds.has("notSent") && !kinds.has("unknown"), parts };
		},
		judge: ({ parts }) => {
			const done = parts.filter(({ kind }) => kind === "done").length;
			return { outcome: done === parts.length ? "succeeded" : "warnings", note: `${done} of ${parts.length}` };
		},
	};
}

export function updateParticipants(
	world: World,
	site: SiteView,
	forms: UpdateParticipantForm[],
): Deed<BatchResult<UpdateReport>> {
	const batch = oneByOne(world, site, forms, (form) => updateParticipant(world, form));
	return {
		...batch,
		operation: "update_participant",
		work: (record, fault) => {
			const report = batch.work(record, fault);
			world.contactRuns.set(site.id, { at: Date.now(), forms, report });
			return report;
		},
	};
}

export function refreshInvitations(
	world: World,
	site: SiteView,
	forms: RefreshInvitationForm[],
	folder: string | null,
): Deed<BatchResult<RefreshReport>> {
	return {
		...oneByOne(world, site, forms, (form) => refreshInvitation(world, site, form, { saveTo: folder })),
		operation: "refresh_invitation",
		dismissed: folder === null,
	};
}
