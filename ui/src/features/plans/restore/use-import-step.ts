import { useMutation } from "@tanstack/react-query";
import { operations, type PlanId, type RestoreStep, type SiteView, useBackend } from "@/bridge";
import { useDroppedFiles } from "@/lib/dropped-file";
import { useBring, useNavigation } from "@/lib/navigation";

/**
 * Opens the import form of a part with its file or path filled in, unless the user went to another page meanwhile.
 * Sends nothing; the form compares the part with the site.
 */
export function useImportStep(site: SiteView, plan: PlanId, set: string) {
	const backend = useBackend();
	const { place, go, isAt } = useNavigation();
	const { give } = useDroppedFiles();
	const bring = useBring();
	return useMutation({
		mutationFn: async ({ server, copy }: Pick<RestoreStep, "server"> & Partial<Pick<RestoreStep, "copy">>) => {
			if (copy?.kind === "onPortal") {
				const parameters = [{ name: "location", value: copy.location }];
				bring({ site: site.id, server: null }, importOf("portal"), { parameters, sentAt: null }, { plan, set });
			} else if (server !== null) {
				const file = await backend.setFileForImport(plan, set, server);
				if (!isAt(place)) return;
				go({ page: "operation", site: site.id, server, key: importOf("server"), ofSet: { plan, set } });
				give(file);
			}
		},
	});
}

/** Returns the operation that imports a portal or a server. */
export function importOf(part: "portal" | "server") {
	const found = operations.find(({ impact, component }) => impact === "replaces" && component === part);
	if (!found) throw new Error(`no operation replaces a ${part}`);
	return found.key;
}
