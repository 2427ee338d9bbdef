import { Box, Group, Stack, Text } from "@mantine/core";
import { IconAdjustments, IconArrowLeft, IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type FindItemsForm,
	type ItemQuery,
	type ItemRow,
	type ItemSearchView,
	type SiteId,
	type SiteView,
	type TypeCount,
	useBackend,
} from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { runOf } from "@/components/run-panel";
import { StopButton } from "@/components/stop-dialog";
import { Heading, IconButton } from "@/components/text";
import { useDraft } from "@/lib/drafts";
import { type Brought, useBrought, useNavigation } from "@/lib/navigation";
import { usePageKey } from "@/lib/page-keys";
import { useReplacedAt } from "@/lib/queries/history";
import { pageSize, takeFoundItems, useItemSearch } from "@/lib/queries/items";
import { type NamedRun, useOperation } from "@/lib/runs";
import { serverOf, targetKey } from "@/lib/target";
import { useFillHeight } from "@/lib/use-fill-height";
import { AllServers } from "./all-servers";
import { Filters } from "./filters";
import { GridRow, rowHeight } from "./item-grid";
import classes from "./item-grid.module.css";
import { Results } from "./report";
import {
	asksTheSame,
	broughtValues,
	columnsOf,
	filtersOf,
	gridStyle,
	orderOf,
	request,
	shownColumns,
	usualColumns,
	usualOrder,
} from "./values";

const noTypes: readonly TypeCount[] = [];

export function FindItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("findItems");
	const refreshKey = usePageKey("refresh");
	const backend = useBackend();
	const queries = useQueryClient();
	const [unfolded, setUnfolded] = useState(false);
	const order = useDraft(orderOf(site.id));
	const handle = useOperation("find_items", site, async (run, form: FindItemsForm) => {
		const query: ItemQuery = { ...(order.kept ?? usualOrder), filter: "", type: null };
		const ended = await backend.findItems(serverOf(site), run.id, form, { query, most: pageSize, apart: false });
		if (ended.kind === "done") {
			takeFoundItems(queries, backend, serverOf(site), query, ended.report);
			// Collapses the filters to make room for the results.
			setUnfolded(false);
		}
		return ended;
	});
	// The backend holds the last search, also after the window was reloaded.
	const held = useItemSearch(serverOf(site)).data ?? null;
	const changed = useChangedSince(site.id, held);
	const { running, state } = handle;
	const { brought, toFill, take } = useBrought(site.id, "find_items");
	const filters = useDraft(filtersOf(targetKey(serverOf(site))));
	const [filled, setFilled] = useState(0);
	const fillIn = useEffectEvent(({ parameters, narrow }: Brought) => {
		const values = broughtValues(parameters);
		filters.keep(values);
		setFilled(filled + 1);
		// A search changes nothing, so a link to items starts it at once.
		if (narrow === undefined) setUnfolded(true);
		else handle.start(request(values));
		take();
	});
	useEffect(() => {
		// The next search waits until the running one ends.
		if (toFill && !running) fillIn(toFill);
	}, [toFill, running]);
	const arriving = state.kind === "running" && state.step?.kind === "arriving" ? state.step.first : null;
	const folded = held !== null && held.total > 0 && !unfolded && state.kind !== "failed";
	const actions = folded ? (
		<>
			<IconButton label={t("change")} icon={IconAdjustments} onClick={() => setUnfolded(true)} />
			{changed ? null : (
				<IconButton label={t("again")} icon={IconRefresh} {...refreshKey} onClick={() => handle.start(held.form)} />
			)}
		</>
	) : null;
	// A different search ends the filter of the link.
	const sought = brought && request(broughtValues(brought.parameters));
	const narrow = sought && held && asksTheSame(sought, held.form) ? (brought.narrow ?? null) : null;
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
			width="wide"
			keepForm
			above={
				<>
					<Back />
					<AllServers site={site} />
				</>
			}
			form={
				<>
					{folded || arriving ? null : (
						<Filters
							// A new key mounts the form again with the filled-in values.
							key={filled}
							site={site}
							start={handle.start}
							running={running}
							problem={handle.problem}
							types={held?.types ?? noTypes}
						/>
					)}
					{running || state.kind === "done" ? null : results}
				</>
			}
			arriving={
				arriving && state.kind === "running" ? (
					<FirstToCome site={site.id} rows={arriving} run={runOf("find_items", site, state)} />
				) : null
			}
			report={() => results}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

/** Returns to the page with the link, for example an import report. */
function Back() {
	const { t } = useTranslation("findItems");
	const { brought, back } = useNavigation();
	if (brought?.narrow === undefined || back === null) return null;
	return <IconButton label={t("back")} icon={IconArrowLeft} onClick={back} w="fit-content" />;
}

/** Whether an import or its undo by the app might have changed the data store since the search. */
function useChangedSince(site: SiteId, search: ItemSearchView | null): boolean {
	const replacedAt = useReplacedAt(site, search !== null);
	return search !== null && replacedAt > search.at;
}

/** Notice that the results might be outdated. Replaces the button that searches again. */
function ChangedSince({ onAgain }: { onAgain: () => void }) {
	const { t } = useTranslation("findItems");
	const key = usePageKey("refresh");
	return (
		<Group gap="xs" role="status">
			<Text c="dimmed">{t("changedSince")}</Text>
			<IconButton label={t("again")} icon={IconRefresh} onClick={onAgain} {...key} />
		</Group>
	);
}

/** First rows of a large response, read-only. The table replaces them when the response is complete. */
function FirstToCome({ site, rows, run }: { site: SiteId; rows: readonly ItemRow[]; run: NamedRun }) {
	const { t } = useTranslation(["findItems", "run", "common"]);
	const frame = useRef<HTMLDivElement>(null);
	const height = useFillHeight(frame);
	const choice = useDraft(columnsOf(site)).kept ?? usualColumns;
	const columns = shownColumns(choice);
	const inSight = rows.slice(0, Math.ceil(height / rowHeight));
	return (
		<Stack gap="sm">
			<Group justify="space-between" align="flex-start" gap="sm">
				<Stack gap={0} miw={0} flex="1 1 240px" role="status">
					<Heading>{t("common:step.arriving")}</Heading>
					<Text c="dimmed">{t("arriving")}</Text>
				</Stack>
				<StopButton run={run} />
			</Group>
			<Box
				ref={frame}
				className={classes.frame ?? ""}
				role="grid"
				aria-label={t("table")}
				aria-busy
				inert
				style={{ ...gridStyle(choice), overflow: "hidden" }}
				mah={height}
			>
				<Box className={`${classes.row} ${classes.head}`} role="row">
					{columns.map((column) => (
						<Box key={column} className={classes.sort ?? ""} role="columnheader">
							<span className={classes.title}>{t(`column.${column}`)}</span>
						</Box>
					))}
				</Box>
				<Box className={classes.body ?? ""} role="rowgroup" h={inSight.length * rowHeight}>
					{inSight.map((row, index) => (
						<GridRow
							key={row.item}
							row={row}
							index={index}
							start={index * rowHeight}
							columns={columns}
							takesFocus={false}
						/>
					))}
				</Box>
			</Box>
		</Stack>
	);
}
