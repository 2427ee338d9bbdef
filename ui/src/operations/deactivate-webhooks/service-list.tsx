import { Button, Checkbox, Group, Paper, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceView, SiteView } from "@/bridge";
import { ListTools } from "@/components/searched-list";
import { draftKey, useSessionState } from "@/lib/drafts";
import { serverOf, targetKey } from "@/lib/target";
import { useDeliveries } from "./deliveries";
import { ServiceRow } from "./service-row";
import classes from "./service-table.module.css";
import { canBeDeactivated, inOrder } from "./use-choice";
import { type Actions, type AskToReactivate, byService, useLog } from "./use-reactivation";

interface ServiceListProps {
	/** Initial filter. */
	narrow: string;
	site: SiteView;
	actions: Actions;
	reactivate: Pick<AskToReactivate, "ask" | "busy">;
	services: readonly ServiceView[];
	ticked: readonly string[];
	onTick: (paths: string[]) => void;
	refresh: () => void;
	refreshing: boolean;
}

type Which = "hooked" | "here" | "all";

const searchOf = draftKey<string>();
const whichOf = draftKey<Which>();

/** Rows drawn at first, and added by each press of the button for more. */
const rowsAtFirst = 150;

/** Table of services with the state of their webhooks. Memoized, because typing a reason would render it again. */
export const ServiceList = memo(function ServiceList(props: ServiceListProps) {
	const { narrow, site, actions, reactivate, services, ticked, onTick, refresh, refreshing } = props;
	const { t } = useTranslation("deactivateWebhooks");
	const target = targetKey(serverOf(site));
	const [search, setSearch] = useSessionState(narrow === "" ? searchOf(target) : null, narrow);
	const [which, setWhich] = useSessionState<Which>(
		narrow === "" ? whichOf(target) : null,
		narrow === "" ? "hooked" : "all",
	);
	const isTight = useMediaQuery("(max-width: 1000px)", false, { getInitialValueInEffect: false });
	const [most, setMost] = useState(rowsAtFirst);
	const log = useLog(site);
	const entries = byService(log.open);
	const deliveries = useDeliveries(serverOf(site), services);
	const lists: Record<Which, readonly ServiceView[]> = {
		// Includes services whose webhooks the server does not list: there might be some.
		hooked: services.filter(({ webhooks }) => webhooks?.length !== 0),
		here: services.filter(({ path }) => {
			const open = entries.get(path) ?? [];
			return open.some((entry) => entry.left === null || entry.left.length > 0);
		}),
		all: services,
	};
	const words = search.trim().toLowerCase();
	const matching = inOrder(lists[which]).filter(({ path, webhooks }) =>
		[path, ...(webhooks ?? []).flatMap(({ name, receiver }) => [name, receiver])].some((text) =>
			text.toLowerCase().includes(words),
		),
	);
	const selectable = matching.filter(canBeDeactivated).map(({ path }) => path);
	const chosen = new Set(ticked);
	const held = selectable.filter((path) => chosen.has(path)).length;
	const isAll = selectable.length > 0 && held === selectable.length;
	const shown = new Set(selectable);
	return (
		<Stack gap="sm">
			<ListTools
				label={t("search")}
				search={search}
				onSearch={setSearch}
				refresh={t("refresh")}
				refreshing={refreshing}
				onRefresh={refresh}
			>
				<SegmentedControl
					size="xs"
					aria-label={t("which")}
					value={which}
					onChange={(value) => setWhich(value as Which)}
					data={(["hooked", "here", "all"] as const).map((value) => ({
						value,
						label: t(`lists.${value}`, { count: lists[value].length }),
					}))}
				/>
			</ListTools>
			{matching.length === 0 ? (
				<Text c="dimmed">
					{words
						? t("noMatch", { search })
						: which === "here"
							? t("noneHere")
							: t("noneHooked", { count: services.length })}
				</Text>
			) : (
				<Paper withBorder className={classes.card ?? ""}>
					<Table className={classes.table ?? ""} aria-label={t("services")}>
						<Table.Thead>
							<Table.Tr>
								<Table.Td className={classes.box ?? ""}>
									<Checkbox
										aria-label={t("selectAll")}
										disabled={selectable.length === 0}
										checked={isAll}
										indeterminate={held > 0 && !isAll}
										onChange={() =>
											onTick(
												isAll ? ticked.filter((path) => !shown.has(path)) : [...new Set([...ticked, ...selectable])],
											)
										}
									/>
								</Table.Td>
								<Table.Th className={classes.service ?? ""}>{t("heads.service")}</Table.Th>
								<Table.Th className={classes.hooks ?? ""}>{t("heads.webhooks")}</Table.Th>
								<Table.Th>{t("heads.deliveries")}</Table.Th>
								<Table.Th className={classes.acts ?? ""}>{t("heads.active")}</Table.Th>
							</Table.Tr>
						</Table.Thead>
						{matching.slice(0, most).map((service, at) => (
							<ServiceRow
								key={service.path || at}
								site={site}
								actions={actions}
								service={service}
								entries={entries.get(service.path) ?? []}
								deliveries={deliveries}
								words={words}
								reactivate={reactivate}
								isTight={isTight}
								ticked={chosen.has(service.path)}
								onTick={(tick) =>
									onTick(tick ? [...ticked, service.path] : ticked.filter((path) => path !== service.path))
								}
							/>
						))}
					</Table>
				</Paper>
			)}
			<Group gap="xs">
				{matching.length > most ? (
					<Button onClick={() => setMost(most + rowsAtFirst)}>
						{t("more", { shown: most, count: matching.length })}
					</Button>
				) : null}
				<Text c="dimmed" role="status">
					{ticked.length === 0 ? "" : t("chosen", { count: ticked.length })}
				</Text>
				{ticked.length > held || ticked.length > 1 ? (
					<Button onClick={() => onTick([])}>{t("selectNone")}</Button>
				) : null}
			</Group>
		</Stack>
	);
});
