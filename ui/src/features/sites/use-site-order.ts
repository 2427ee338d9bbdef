import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteId, type SiteView, useBackend } from "@/bridge";
import { formatNumber } from "@/lib/format";
import { queryKeys } from "@/lib/queries";

/** Moves sites among the others; the program keeps the order. */
export function useSiteOrder(sites: readonly SiteView[]) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const queries = useQueryClient();
	const [said, setSaid] = useState("");
	const order = useMutation({
		mutationFn: (ids: SiteId[]) => backend.orderSites(ids),
		onSuccess: (ordered) => queries.setQueryData(queryKeys.sites, ordered),
	});
	// While the program writes it down, a card stays where it was dropped.
	const wanted = order.isPending ? order.variables : null;
	const shown = wanted ? sites.toSorted((one, other) => wanted.indexOf(one.id) - wanted.indexOf(other.id)) : sites;
	const place = (site: SiteId, to: number) => {
		const ids = shown.map(({ id }) => id).filter((id) => id !== site);
		ids.splice(to, 0, site);
		order.mutate(ids, {
			onSuccess: () =>
				setSaid(
					t("card.moved", {
						site: sites.find(({ id }) => id === site)?.name ?? "",
						place: formatNumber(to + 1),
						count: ids.length,
						formatted: formatNumber(ids.length),
					}),
				),
		});
	};
	return { shown, place, said, error: order.error };
}
