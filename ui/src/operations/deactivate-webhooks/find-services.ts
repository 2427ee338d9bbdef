import type { ServiceView } from "@/bridge";
import type { Find } from "@/lib/operation-ui";

/** Finds services by path and webhooks by name, for the command palette. Both lead to the service. */
export function findServices(services: readonly ServiceView[], words: string): Find[] {
	const wanted = words.toLowerCase();
	const fits = (text: string) => text.toLowerCase().includes(wanted);
	const to = (label: string, path: string): Find => ({
		label,
		path,
		brought: { parameters: [], sentAt: null, narrow: path },
	});
	const named = services.filter(({ path }) => path !== "" && fits(path)).map(({ path }) => to(path, path));
	const webhooks = services.flatMap(({ path, webhooks }) =>
		// Webhooks of a service can have equal names; they lead to the same page.
		[...new Set((path === "" ? [] : (webhooks ?? [])).map(({ name }) => name).filter(fits))].map((name) =>
			to(name, path),
		),
	);
	return [...named, ...webhooks];
}
