import { Button, Stack } from "@mantine/core";
import { IconAdjustments, IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type FindItemsForm, type ItemQuery, type SiteView, type TypeCount, useBackend } from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { useDraft } from "@/lib/drafts";
import { useBrought } from "@/lib/last-parameters";
import { type Place, useNavigation } from "@/lib/navigation";
import { queryKeys, useItemSearch } from "@/lib/queries";
import { useOperation } from "@/lib/use-operation";
import { BackToReport } from "./back-to-report";
import { ChangedSince, useChangedSince } from "./changed-since";
import { Filters } from "./filters";
import { FirstToCome } from "./first-to-come";
import type { Order } from "./item-grid";
import { orderName, usualOrder } from "./kept-names";
import { Results } from "./report";
import { itemRowsOf, pageSize } from "./use-item-rows";
import { asksTheSame, broughtValues, request } from "./values";

const noTypes: readonly TypeCount[] = [];

export function FindItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("findItems");
	const backend = useBackend();
	const queries = useQueryClient();
	const [unfolded, setUnfolded] = useState(false);
	const order = useDraft<Order>(orderName(site.id));
	const handle = useOperation("find_items", site, async (run, form: FindItemsForm) => {
		const query: ItemQuery = { ...(order.kept ?? usualOrder), filter: "", type: null };
		const ended = await backend.findItems(site.id, run, form, { query, most: pageSize });
		if (ended.kind === "done") {
			const { search, first } = ended.report;
			queries.setQueryData(queryKeys.itemSearch(site.id), search);
			queries.setQueryData(itemRowsOf(backend, site.id, search, query, 0).queryKey, first);
			// What was found needs the room.
			setUnfolded(false);
		}
		return ended;
	});
	// The program holds what was found last, also when this window was loaded again.
	const held = useItemSearch(site.id).data ?? null;
	const changed = useChangedSince(site.id, held);
	const { place } = useNavigation();
	const brings = useBrought(site.id, "find_items") !== null;
	const sought = soughtAt(place);
	const begun = useDraft<Place>(`${site.id} find_items sought`);
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each arrival
	useEffect(() => {
		if (!sought) {
			if (brings) setUnfolded(true);
			return;
		}
		// A search changes nothing: who follows a link to what is to be found need not ask once more. Who comes back, say
		// from the help, finds what was there.
		if (begun.kept === place) return;
		begun.keep(place);
		handle.start(sought.form);
	}, [brings, place]);
	const { running, state } = handle;
	const arriving = state.kind === "running" && state.step?.kind === "arriving" ? state.step.first : null;
	const folded = held !== null && held.total > 0 && !unfolded && state.kind !== "problem";
	const actions = folded ? (
		<>
			<Button
				variant="default"
				leftSection={<IconAdjustments size={16} aria-hidden />}
				onClick={() => setUnfolded(true)}
			>
				{t("change")}
			</Button>
			{changed ? null : (
				<Button
					variant="default"
					leftSection={<IconRefresh size={16} aria-hidden />}
					onClick={() => handle.start(held.form)}
				>
					{t("again")}
				</Button>
			)}
		</>
	) : null;
	// Whoever asks for something else meanwhile is not looking for it any longer.
	const narrow = sought && held && asksTheSame(sought.form, held.form) ? sought.narrow : null;
	const results = held ? (
		<Stack gap="sm">
			{changed ? <ChangedSince onAgain={() => handle.start(held.form)} /> : null}
			<Results site={site} search={held} actions={actions} narrow={narrow} />
		</Stack>
	) : null;
	return (
		<OperationScreen
			operation="find_items"
			site={site}
			handle={handle}
			width="full"
			keepForm
			above={<BackToReport />}
			form={
				<>
					{folded || arriving ? null : (
						<Filters
							site={site}
							start={handle.start}
							running={running}
							faults={handle.faults}
							types={held?.types ?? noTypes}
						/>
					)}
					{running || state.kind === "done" ? null : results}
				</>
			}
			arriving={arriving ? <FirstToCome site={site.id} rows={arriving} onStop={handle.stop} /> : null}
			report={() => results}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

/** What another screen wants found at once; `null` when the person shall ask for it. */
function soughtAt(place: Place): { form: FindItemsForm; narrow: string } | null {
	if (place.page !== "operation" || place.narrow === undefined) return null;
	return { form: request(broughtValues(place.fill ?? [])), narrow: place.narrow };
}
