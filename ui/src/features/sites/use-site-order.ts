import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SiteView, useBackend } from "@/bridge";
import { formatNumber } from "@/lib/format";
import { queryKeys } from "@/lib/queries";

/** Moves sites among the others; the program keeps the order. */
export function useSiteOrder(sites: readonly SiteView[]) {
	const { t } = useTranslation("sites");
	const backend = useBackend();
	const queries = useQueryClient();
	const [said, setSaid] = useState("");
	const order = useMutation({
		mutationFn: (ids: string[]) => backend.orderSites(ids),
		onSuccess: (ordered) => queries.setQueryData(queryKeys.sites, ordered),
	});
	const move = (site: SiteView, by: 1 | -1) => {
		const ids = sites.map(({ id }) => id);
		const from = ids.indexOf(site.id);
		ids.splice(from, 1);
		ids.splice(from + by, 0, site.id);
		order.mutate(ids, {
			onSuccess: () =>
				setSaid(
					t("card.moved", {
						site: site.name,
						place: formatNumber(from + by + 1),
						count: ids.length,
						formatted: formatNumber(ids.length),
					}),
				),
		});
	};
	return { move, said, error: order.error };
}
