import { type MutationState, type QueryClient, useMutationState, useQueryClient } from "@tanstack/react-query";
import type { Problem, RunId, Target, UploadEnd, UploadSource } from "@/bridge";
import { accountAt } from "@/lib/account";

/** Variables of the upload mutation; `run` identifies the upload. */
export interface Upload {
	run: RunId;
	source: UploadSource;
}

interface LastUpload {
	run: RunId;
	isPending: boolean;
	/** `null` during the upload, and if it failed. */
	end: UploadEnd | null;
	error: Problem | null;
}

/** Key of the uploads to a server. Contains the account, so that other accounts do not see the result. */
export const uploadKey = (queries: QueryClient, { site, server }: Target) => [
	"site",
	site,
	"server",
	server,
	"upload",
	accountAt(queries, site),
];

/**
 * Last upload to a server since the window was loaded, also from an earlier visit of the page; `null` if there was
 * none.
 */
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

/** Whether the import form can show the result of an upload. After a reload, it cannot. */
export function showsUpload(queries: QueryClient, server: Target, run: RunId): boolean {
	const predicate = ({ state }: { state: { variables: unknown } }) =>
		(state.variables as Upload | undefined)?.run === run;
	return queries.getMutationCache().find({ mutationKey: uploadKey(queries, server), predicate }) !== undefined;
}
