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
			// The program decides what is worth a second try, and it answers without a network too.
			queries: { retry: false, networkMode: "always", staleTime: 30_000, refetchOnWindowFocus: false },
			mutations: { retry: false, networkMode: "always" },
		},
	});
}

/** Has what was read read again, as far as it is on screen. */
export function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
	return queries.invalidateQueries({ queryKey });
}
