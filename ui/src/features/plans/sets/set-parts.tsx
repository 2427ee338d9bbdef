import { ActionIcon, Button, CopyButton, Progress, Stack, Table, Text } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconLock } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
	type BackupPlan,
	type PartInventory,
	type RunView,
	type ServerId,
	type SetFileVerification,
	type SetPart,
	type SetView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { Below, Board, boardClasses as classes, FactCell, NoFactCell } from "@/components/board";
import { CommandButton, ProblemNotice } from "@/components/notice";
import { Breakable, LinkButton, Small } from "@/components/text";
import { formatSize, formatTimeOfDay, hostAndPathOf } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useSetInventories, useSiteRestore } from "@/lib/queries/plans";
import { type RunOfItsOwn, type RunStore, useRunStore, useRuns } from "@/lib/runs";
import { useServerKind } from "@/lib/server-kind";
import { targetKey } from "@/lib/target";
import { useCommand, useStale } from "@/lib/use-command";
import { useReadOnly } from "@/lib/use-read-only";
import { dotted, joined } from "@/messages/isolated";
import { useImportStep } from "../restore/use-import-step";
import {
	exportOf,
	PartStateWord,
	shortened,
	useOtherVersion,
	usePartName,
	usePartReason,
	verifiable,
} from "../shown/part-state";
import { SetServices } from "./set-run";

interface SetPartsProps {
	site: SiteView;
	plan: BackupPlan;
	set: SetView;
	onVerify: (server: ServerId | null) => void;
}

/** Parts of a set with their files and inventories. A server expands to its services. */
export function SetParts({ site, plan, set, onVerify }: SetPartsProps) {
	const { t } = useTranslation("plans");
	const inventories = useSetInventories(site.id, plan.id, set.name);
	const [opened, setOpened] = useState<ServerId | null>(null);
	const restore = useSiteRestore(plan.id, set.name);
	const lead = useImportStep(site, plan.id, set.name);
	const nameOf = usePartName(site);
	const canVerify = verifiable(set);
	const versionOf = useOtherVersion();
	return (
		<>
			<ProblemNotice problem={inventories.error} />
			<ProblemNotice problem={restore.error} />
			<ProblemNotice problem={lead.error} />
			<Board
				kind="parts"
				label={t("set.parts")}
				heads={[t("set.part"), t("set.state"), t("set.file"), t("set.sha256"), t("set.inventory"), ""]}
			>
				{set.set.parts.map((part, place) => {
					const { server } = part;
					const inventory = inventories.data?.[place] ?? null;
					const step = restore.data?.steps.find((one) => one.server === server);
					const why = step?.copy.kind === "none" && step.copy.why !== "notInSet" ? step.copy.why : null;
					const noImport = why === null ? step && versionOf(step) : t(`restore.noCopy.${why}`);
					const isOpened = server !== null && opened === server;
					const name = nameOf(part);
					return (
						<Fragment key={server ?? ""}>
							<PartRow
								site={site}
								part={part}
								name={name}
								inventory={inventory}
								isRead={!inventories.isPending}
								isOpened={isOpened}
								onOpen={inventory?.kind === "server" ? () => setOpened(isOpened ? null : server) : null}
								noImport={noImport || null}
								onImport={step && step.copy.kind !== "none" ? () => lead.mutate(step) : null}
								verify={
									canVerify.includes(part) ? (
										<VerifyAgain
											plan={plan}
											set={set.name}
											server={server}
											name={name}
											onVerify={() => onVerify(server)}
										/>
									) : null
								}
							/>
							{isOpened ? (
								<Table.Tr className={classes.opened ?? ""}>
									<Table.Td colSpan={6}>
										<SetServices site={site} plan={plan} set={set} server={server} name={name} />
									</Table.Td>
								</Table.Tr>
							) : null}
						</Fragment>
					);
				})}
			</Board>
		</>
	);
}

interface PartRowProps {
	site: SiteView;
	part: SetPart;
	name: string;
	inventory: PartInventory | null;
	isRead: boolean;
	isOpened: boolean;
	onOpen: (() => void) | null;
	onImport: (() => void) | null;
	/** Why the part cannot be imported although the set has it, or not into the version of the site. */
	noImport: string | null;
	/** Button that verifies the file again; `null` if there is no file. */
	verify: ReactNode;
}

function PartRow({ site, part, name, inventory, isRead, isOpened, onOpen, onImport, noImport, verify }: PartRowProps) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const reason = usePartReason()(part.state);
	const kindOf = useServerKind();
	const isReadOnly = useReadOnly(site);
	const server = site.servers.find(({ id }) => id === part.server);
	const below = part.server === null ? hostAndPathOf(site.portal ?? "") : server ? kindOf(server) : "";
	const file = exportOf(part);
	const entry = isLacking(part) ? part.record : null;
	const Chevron = isOpened ? IconChevronDown : IconChevronRight;
	return (
		<Table.Tr aria-label={name}>
			<Table.Td>
				<span className={classes.fact}>
					{onOpen ? (
						<ActionIcon
							size={36}
							variant="subtle"
							color="gray"
							aria-label={t("set.look", { part: name })}
							aria-expanded={isOpened}
							onClick={onOpen}
						>
							<Chevron size={16} aria-hidden />
						</ActionIcon>
					) : null}
					<Text component="span" fw={600} style={{ overflowWrap: "normal" }}>
						<Breakable>{name}</Breakable>
					</Text>
				</span>
				<Below>{below}</Below>
			</Table.Td>
			<Table.Td data-head={t("set.state")} style={{ overflowWrap: "normal" }}>
				<PartStateWord part={part} />
				<Below>{reason || (part.ended ? formatTimeOfDay(part.ended) : null)}</Below>
				{entry ? (
					<LinkButton
						size="xs"
						aria-label={t("set.entryOf", { part: name })}
						onClick={() => go({ page: "history", record: entry })}
					>
						{t("set.entry")}
					</LinkButton>
				) : null}
			</Table.Td>
			{file ? (
				<FactCell
					head={t("set.file")}
					tone={part.usualSize === null ? null : "warnings"}
					below={dotted(
						file.folder ?? t("set.inSet"),
						formatSize(file.size),
						part.usualSize === null ? "" : t("set.small", { size: formatSize(part.usualSize) }),
					)}
					fact={file.name}
				/>
			) : (
				<FactCell
					head={t("set.file")}
					dimmed
					below={part.state.kind === "onSite" ? t("set.noFileHere") : ""}
					fact={t("set.noFile")}
				/>
			)}
			{file ? (
				<Table.Td data-head={t("set.sha256")}>
					<Hash file={file.name} sha256={file.sha256} />
				</Table.Td>
			) : (
				<NoFactCell head={t("set.sha256")} why={t("set.noFile")} />
			)}
			<InventoryCell inventory={inventory} isRead={isRead}>
				{onImport ? (
					<LinkButton
						size="xs"
						display="block"
						ta="start"
						aria-label={t("set.changeLabel", { part: name })}
						onClick={onImport}
					>
						{t("set.change")}
					</LinkButton>
				) : null}
			</InventoryCell>
			<Table.Td>
				<span className={classes.acts}>
					{noImport === null ? null : <Small>{noImport}</Small>}
					{verify}
					{onImport ? (
						<Button
							aria-label={t("set.importLabel", { part: name })}
							leftSection={isReadOnly ? <IconLock size={16} aria-hidden /> : null}
							onClick={onImport}
						>
							{t("set.import")}
						</Button>
					) : null}
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

/**
 * Whether the history entry of a part has more than the set: the response of the site, or the check of an unknown
 * outcome.
 */
function isLacking({ state }: SetPart): boolean {
	return state.kind === "failed" || state.kind === "unknown";
}

/** Shortened hash for comparison. The button copies it in full. */
function Hash({ file, sha256 }: { file: string; sha256: string }) {
	const { t } = useTranslation(["plans", "common"]);
	return (
		<>
			<Text component="span" size="xs" ff="monospace" display="block" style={{ whiteSpace: "nowrap" }}>
				{shortened(sha256)}
			</Text>
			<CopyButton value={sha256}>
				{({ copied, copy }) => (
					<LinkButton
						size="xs"
						aria-label={copied ? undefined : t("common:action.copyOf", { what: t("set.hashOf", { file }) })}
						onClick={copy}
					>
						{t(copied ? "common:action.copied" : "common:action.copy")}
					</LinkButton>
				)}
			</CopyButton>
		</>
	);
}

interface InventoryCellProps {
	inventory: PartInventory | null;
	isRead: boolean;
	/** Link to the comparison of the inventory with the site. */
	children: ReactNode;
}

function InventoryCell({ inventory, isRead, children }: InventoryCellProps) {
	const { t } = useTranslation("plans");
	const head = t("set.inventory");
	if (!isRead) return <Table.Td data-head={head} />;
	switch (inventory?.kind) {
		case "server": {
			const { services, webhooks, dataItems, missing } = inventory;
			return (
				<FactCell
					head={head}
					below={
						<>
							{joined(
								[
									t("set.webhooks", { count: webhooks }),
									t("set.dataItems", { count: dataItems }),
									missing.length > 0 ? t("set.incomplete") : "",
								],
								", ",
							)}
							{children}
						</>
					}
					fact={t("set.services", { count: services })}
				/>
			);
		}
		case "portal": {
			const { items, users, groups, missing } = inventory.inventory;
			const known = [
				items === null ? "" : t("set.items", { count: items }),
				users === null ? "" : t("set.users", { count: users }),
				groups === null ? "" : t("set.groups", { count: groups }),
			].filter(Boolean);
			const [first, ...others] = known;
			return (
				<FactCell
					head={head}
					below={
						<>
							{joined([...others, missing.length > 0 ? t("set.incomplete") : ""], ", ")}
							{children}
						</>
					}
					dimmed={first === undefined}
					fact={first ?? t("set.notKnown")}
				/>
			);
		}
		default:
			return <FactCell head={head} dimmed below={t("set.noInventory")} fact={t("set.notKnown")} />;
	}
}

interface VerifyAgainProps {
	plan: BackupPlan;
	set: string;
	/** `null` for the portal. */
	server: ServerId | null;
	name: string;
	onVerify: () => void;
}

/** Verifies the file of a part again, with progress and Stop. */
function VerifyAgain({ plan, set, server, name, onVerify }: VerifyAgainProps) {
	const { t } = useTranslation("plans", { keyPrefix: "verifyAgain" });
	const store = useRunStore();
	const target = { site: plan.site, server };
	const state = useSyncExternalStore(store.subscribe, () => stateOf(store, plan, set, server));
	const problem = state.kind === "failed" ? state.problem : null;
	const run = useRuns().find((one) => (state.kind === "running" ? one.id === state.run : isOfBefore(one)));
	const step = run?.step.kind === "verifyingFile" ? run.step : null;
	const stop = useCommand((backend) => backend.stopRun(run?.id ?? ""));
	const report = state.kind === "done" ? state.report : null;
	/**
	 * Whether a run, started before the window was reloaded, verifies a file of this part. The backend does not report
	 * which set it belongs to, so it is shown with each of them.
	 */
	function isOfBefore(one: RunView): boolean {
		return one.act === "verify_export" && targetKey(one) === targetKey(target) && !store.isOwn(one.id);
	}
	return (
		<Stack gap={4} align="flex-end">
			{run ? (
				<CommandButton command={stop} label={t("stop")} aria-label={t("stopLabel", { part: name })} />
			) : (
				<Button aria-label={t("verifyLabel", { part: name })} loading={state.kind === "running"} onClick={onVerify}>
					{t("verify")}
				</Button>
			)}
			{step?.total != null ? (
				<Stack gap={2} w={160}>
					<Progress value={(step.done / Math.max(1, step.total)) * 100} aria-label={t("progress", { part: name })} />
					<Small ta="end">{t("done", { done: formatSize(step.done), total: formatSize(step.total) })}</Small>
				</Stack>
			) : null}
			<Text size="xs" role="status" ta="end">
				{state.kind === "notSent" ? t("end.stopped") : null}
				{report?.kind === "partlyVerified"
					? t("end.partlyVerified", { count: report.unverifiedEntries })
					: report && t(`end.${report.kind}`)}
			</Text>
			<ProblemNotice problem={problem} />
		</Stack>
	);
}

/** Returns the state key of a verification. Its result outlives the page, because verifying gigabytes takes minutes. */
const keyOf = (plan: BackupPlan, set: string, server: ServerId | null): RunOfItsOwn => ({
	operation: server === null ? "export_portal" : "export_server",
	act: "verify_export",
	name: `${plan.id} ${set} ${server}`,
});

function stateOf(store: RunStore, plan: BackupPlan, set: string, server: ServerId | null) {
	return store.state<SetFileVerification, undefined>(keyOf(plan, set, server), { site: plan.site, server });
}

/** Returns a function that verifies the files of parts one after the other, until one is stopped. */
export function useVerify(plan: BackupPlan, set: string): (servers: readonly (ServerId | null)[]) => Promise<void> {
	const backend = useBackend();
	const stale = useStale();
	const store = useRunStore();
	return async (servers) => {
		for (const server of servers) {
			const target = { site: plan.site, server };
			await store.start(keyOf(plan, set, server), target, undefined, async (run) => {
				try {
					return await backend.verifySetFile(target, run.id, plan.id, set);
				} finally {
					await stale("verifySetFile", plan.site);
				}
			});
			if (stateOf(store, plan, set, server).kind === "notSent") return;
		}
	};
}
