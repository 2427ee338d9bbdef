import { type MutationState, type QueryClient, useMutationState, useQueryClient } from "@tanstack/react-query";
import type { Problem, RunId, Target, UploadEnd, UploadSource } from "@/bridge";
import { accountAt } from "@/lib/account";

/** What is uploaded. Its run tells it from every other upload. */
export interface Upload {
	run: RunId;
	source: UploadSource;
}

interface LastUpload {
	run: RunId;
	isPending: boolean;
	/** `null` while it is on its way, and when there was none. */
	end: UploadEnd | null;
	/** Why there was none. */
	error: Problem | null;
}

/** Of the account that is there now: nobody else finds how an upload ended. */
export const uploadKey = (queries: QueryClient, { site, server }: Target) => [
	"site",
	site,
	"server",
	server,
	"upload",
	accountAt(queries, site),
];

/** The last upload to this server, also when the page was left and entered again since it began; `null` before the first. */
export function useLastUpload(server: Target): LastUpload | null {
	const queries = useQueryClient();
	const states = useMutationState({
		filters: { mutationKey: uploadKey(queries, server) },
		select: ({ state }) => state as MutationState<UploadEnd, Problem, Upload>,
	});
	const last = states.at(-1);
	if (!last?.variables) return null;
	return {
		run: last.variables.run,
		isPending: last.status === "pending",
		end: last.data ?? null,
		error: last.error,
	};
}

/** Whether the form of an import can show how this upload ended: after the page was loaded again it cannot. */
export function showsUpload(queries: QueryClient, server: Target, run: RunId): boolean {
	const predicate = ({ state }: { state: { variables: unknown } }) =>
		(state.variables as Upload | undefined)?.run === run;
	return queries.getMutationCache().find({ mutationKey: uploadKey(queries, server), predicate }) !== undefined;
}
