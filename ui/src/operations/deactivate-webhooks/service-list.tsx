import { Button, Checkbox, Group, Paper, SegmentedControl, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeactivationView, ServiceView, SiteView } from "@/bridge";
import { WithIcon } from "@/components/outcome";
import { ListTools } from "@/components/searched-list";
import { Breakable, Small } from "@/components/text";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatWhen } from "@/lib/format";
import { useGapText } from "@/lib/gap-text";
import { countLeft } from "@/lib/service-state";
import { serverOf, targetKey } from "@/lib/target";
import { dotted, joined } from "@/messages/isolated";
import classes from "./form.module.css";
import { activeNames, canBeDeactivated, inOrder } from "./send";
import { type Actions, type AskToReactivate, byService, useLog } from "./use-reactivation";
import { Deliveries, knownOf, useDeliveries, WebhookRows } from "./webhook-rows";

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

interface ServiceRowProps {
	site: SiteView;
	actions: Actions;
	service: ServiceView;
	/** Open log entries of the service, newest first. */
	entries: readonly DeactivationView[];
	deliveries: ReturnType<typeof useDeliveries>;
	/** Filter text in lower case. */
	words: string;
	reactivate: Pick<AskToReactivate, "ask" | "busy">;
	/** Whether the last column is too narrow for buttons; they are shown below the counts then. */
	isTight: boolean;
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

/**
 * Row of a service, with its webhooks in further rows when expanded. Webhooks are deactivated together or one at a
 * time.
 */
function ServiceRow(props: ServiceRowProps) {
	const { site, actions, service, entries, deliveries, words, reactivate, isTight, ticked, onTick } = props;
	const { t } = useTranslation("deactivateWebhooks");
	const { t: common } = useTranslation();
	const gapText = useGapText();
	const [isOpen, { toggle }] = useDisclosure(false);
	const { path, webhooks } = service;
	if (service.gap) {
		const of = service.name ? `${service.name}.${service.type}` : service.folder;
		return (
			<Table.Tbody>
				<Table.Tr>
					<Table.Td className={classes.box ?? ""} />
					<Table.Td colSpan={4}>
						<Text role="note">{gapText(service.gap, of)}</Text>
					</Table.Td>
				</Table.Tr>
			</Table.Tbody>
		);
	}
	if (path === "") {
		return (
			<Table.Tbody>
				<Table.Tr>
					<Table.Td colSpan={5}>
						<Checkbox checked={false} disabled label={common("unreadableEntry")} />
					</Table.Td>
				</Table.Tr>
			</Table.Tbody>
		);
	}
	const inactive = entries.filter(({ left }) => left !== null && left.length > 0);
	const [newest] = inactive;
	const count = countLeft(inactive);
	const Chevron = isOpen ? IconChevronDown : IconChevronRight;
	const name = <Breakable>{path}</Breakable>;
	return (
		<>
			<Table.Tbody>
				<Table.Tr>
					<Table.Td className={classes.box ?? ""}>
						<Checkbox
							checked={ticked}
							onChange={(event) => onTick(event.currentTarget.checked)}
							disabled={!canBeDeactivated(service)}
							aria-label={path}
						/>
					</Table.Td>
					<Table.Td>
						{webhooks && webhooks.length > 0 ? (
							<UnstyledButton
								className={classes.open ?? ""}
								aria-expanded={isOpen}
								aria-label={t("openService", { words: wordsOf(), service: path })}
								onClick={toggle}
							>
								<Chevron size={14} aria-hidden />
								<Text span {...(isOpen ? { fw: 600 } : {})}>
									{name}
								</Text>
							</UnstyledButton>
						) : (
							<Text ps={20}>{name}</Text>
						)}
					</Table.Td>
					<Table.Td>
						<Counts service={service} here={count} />
						{newest ? <Since entry={newest} /> : null}
						<Matching service={service} words={words} />
						{isTight ? reactivation() : null}
					</Table.Td>
					<Table.Td>
						{webhooks && webhooks.length > 0 ? <Deliveries known={knownOf(service, webhooks, deliveries)} /> : null}
					</Table.Td>
					<Table.Td className={classes.acts ?? ""}>{isTight ? null : reactivation()}</Table.Td>
				</Table.Tr>
			</Table.Tbody>
			{isOpen ? <WebhookRows site={site} service={service} actions={actions} deliveries={deliveries} /> : null}
		</>
	);

	function reactivation() {
		if (count === 0 || !reactivate.ask) return null;
		return (
			<Button
				mt={isTight ? 4 : 0}
				loading={reactivate.busy}
				aria-label={t("log.reactivateLabel", { count, service: path })}
				onClick={() => reactivate.ask?.(inactive)}
			>
				{t("log.reactivateShort")}
			</Button>
		);
	}

	/** Returns the label of the button that expands the row. */
	function wordsOf(): string {
		const active = activeNames(service);
		if (active === null) return t("reported", { count: webhooks?.length ?? 0 });
		return active.length === 0 ? t("deactivated") : t("active", { count: active.length });
	}
}

/** Number of webhooks that are active, inactive, and deactivated by the app. */
function Counts({ service: { webhooks }, here }: { service: ServiceView; here: number }) {
	const { t } = useTranslation("deactivateWebhooks");
	if (webhooks === null) return <Text>{t("unlisted")}</Text>;
	if (webhooks.length === 0) return <Text c="dimmed">{t("noWebhooks")}</Text>;
	const of = (state: boolean | null) => webhooks.filter(({ active }) => active === state).length;
	// An active webhook is not counted as deactivated, even if the log lists it.
	const deactivated = Math.min(here, of(false));
	const counts = {
		active: of(true),
		inactive: of(false) - deactivated,
		here: deactivated,
		notReported: of(null),
	};
	const kinds = ["active", "inactive", "here", "notReported"] as const;
	const words = kinds.filter((kind) => counts[kind] > 0).map((kind) => t(`counts.${kind}`, { count: counts[kind] }));
	return deactivated > 0 ? <WithIcon icon="warnings">{words.join(", ")}</WithIcon> : <Text>{words.join(", ")}</Text>;
}

function Since({ entry: { deactivatedAt, by, why } }: { entry: DeactivationView }) {
	const { t } = useTranslation("deactivateWebhooks");
	const who = by || t("log.unknownUser");
	return <Small>{dotted(formatWhen(deactivatedAt), who, ...(why === "" ? [] : [t("quoted", { words: why })]))}</Small>;
}

/** Webhooks that match the search, if the path of the service does not. */
function Matching({ service: { path, webhooks }, words }: { service: ServiceView; words: string }) {
	if (words === "" || path.toLowerCase().includes(words)) return null;
	const found = (webhooks ?? []).filter(({ name, receiver }) =>
		[name, receiver].some((text) => text.toLowerCase().includes(words)),
	);
	return (
		<Small>
			{joined(
				found.map(({ name }) => name),
				"\u00a0· ",
			)}
		</Small>
	);
}
