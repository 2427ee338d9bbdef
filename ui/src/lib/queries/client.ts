import { QueryClient, type QueryKey } from "@tanstack/react-query";
import type { Problem } from "@/bridge";

declare module "@tanstack/react-query" {
	interface Register {
		defaultError: Problem;
	}
}

export function createQueryClient(): QueryClient {
	return new QueryClient({
		defaultOptions: {
			// The backend decides what is retried, and it responds without a network, too.
			queries: { retry: false, networkMode: "always", staleTime: 30_000, refetchOnWindowFocus: false },
			mutations: { retry: false, networkMode: "always" },
		},
	});
}

/** Invalidates queries; those on screen are read again. */
export function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
	return queries.invalidateQueries({ queryKey });
}
