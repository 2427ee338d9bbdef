import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconPin } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, PlanPart, ServerId, PlanSets as Sets, SetView, SiteView } from "@/bridge";
import { Board, boardClasses as classes } from "@/components/board";
import { LoadingRows } from "@/components/loading-rows";
import { Notice } from "@/components/notice";
import { ProblemNotice } from "@/components/problem-notice";
import { Heading, LinkButton, Small } from "@/components/text";
import { formatDateTime, formatDuration, formatNumber, formatSize, formatWhen } from "@/lib/format";
import { useHelp } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";
import { usePlanSets } from "@/lib/queries/plans";
import { serverName } from "@/lib/target-name";
import { dotted } from "@/messages/isolated";
import { SetSearch } from "./search/set-search";
import { KeptBecause } from "./shown/kept";
import { PartStateWord } from "./shown/part-state";
import { isVerified } from "./shown/set-part";
import { StrangeFolders } from "./shown/strange-folders";

/** Sets shown at first. */
const setsAtFirst = 5;
/** Number of parts from which a single column shows their number instead of one column for each. */
const manyParts = 5;

interface PlanSetsProps {
	site: SiteView;
	plan: BackupPlan;
}

/** Backup sets of a plan, each with the state of its parts and the rule that keeps it. */
export function PlanSets({ site, plan }: PlanSetsProps) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const id = useId();
	const { data: sets, error, refetch } = usePlanSets(site.id, plan.folder === "" ? null : plan.id);
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<SetSearch
				site={site}
				title={<Heading id={id}>{t("sets.title", { plan: plan.name })}</Heading>}
				act={<Button onClick={() => go({ page: "edit-plan", site: site.id, plan: plan.id })}>{t("menu.edit")}</Button>}
			/>
			{sets ? <Small mod="anywhere">{summaryOf(sets)}</Small> : null}
			{error ? <ProblemNotice problem={error} onRetry={() => void refetch()} /> : null}
			{sets === undefined && !error && plan.folder !== "" ? <LoadingRows height={32} /> : null}
			{sets ? <SetBoard key={plan.id} site={site} plan={plan} sets={sets} /> : null}
		</Stack>
	);

	function summaryOf({ sets, size, free, fullAt }: Sets): string {
		const count = sets.length;
		const inFolder = t("sets.summary", {
			count,
			formatted: formatNumber(count),
			size: formatSize(size),
			folder: plan.folder,
		});
		const room = free === null ? "" : t("sets.free", { size: formatSize(free) });
		const end = fullAt === null ? "" : t("sets.fullAt", { at: formatWhen(fullAt) });
		return dotted(inFolder, room, end);
	}
}

function SetBoard({ site, plan, sets: { sets, nothing, strange } }: PlanSetsProps & { sets: Sets }) {
	const { t } = useTranslation("plans");
	const help = useHelp();
	const [isWhole, setWhole] = useState(false);
	const columns = columnsOf(plan);
	const shown = isWhole ? sets : sets.slice(0, setsAtFirst);
	const older = sets.length - shown.length;
	const heads =
		columns.length < manyParts
			? columns.map((server) => (server === null ? t("sets.portal") : serverName(site, server)))
			: [t("sets.parts")];
	return (
		<>
			{nothing === null || sets.length === 0 ? null : <Text c="dimmed">{t(`noRemoval.${nothing}`)}</Text>}
			{strange.length === 0 ? null : (
				<Notice
					tone="warnings"
					title={t("sets.strange", { count: strange.length, formatted: formatNumber(strange.length) })}
				>
					<StrangeFolders folders={strange} />
				</Notice>
			)}
			{sets.length === 0 ? (
				<Text c="dimmed">{t("sets.noneBody")}</Text>
			) : (
				<Board
					kind="sets"
					label={t("sets.title", { plan: plan.name })}
					heads={[t("sets.set"), ...heads, t("sets.size"), t("sets.kept"), ""]}
				>
					{shown.map((set) => (
						<SetRow key={set.name} site={site} plan={plan} set={set} columns={columns} heads={heads} />
					))}
				</Board>
			)}
			<Group gap="xs">
				<Small>{t("sets.notIncluded")}</Small>
				<LinkButton size="xs" onClick={() => help("backup-plans")}>
					{t("sets.besides")}
				</LinkButton>
				{older > 0 ? (
					<LinkButton size="xs" onClick={() => setWhole(true)}>
						{t("sets.older", { count: older, formatted: formatNumber(older) })}
					</LinkButton>
				) : null}
			</Group>
		</>
	);
}

interface SetRowProps {
	site: SiteView;
	plan: BackupPlan;
	set: SetView;
	columns: readonly (ServerId | null)[];
	heads: readonly string[];
}

function SetRow({ site, plan, set, columns, heads }: SetRowProps) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const { parts, started, ended, isPinned } = set.set;
	const at = formatDateTime(started);
	return (
		<Table.Tr aria-label={at}>
			<Table.Td style={{ whiteSpace: "nowrap" }}>
				<Text fw={600}>{formatWhen(started)}</Text>
				{ended === null ? null : <Small>{formatDuration(ended - started)}</Small>}
			</Table.Td>
			{columns.length < manyParts ? (
				columns.map((server, place) => {
					const part = parts.find((one) => one.server === server);
					return (
						<Table.Td key={server ?? ""} data-head={heads[place]}>
							{part ? <PartStateWord part={part} /> : <Text c="dimmed">{t("sets.noPart")}</Text>}
						</Table.Td>
					);
				})
			) : (
				<Table.Td data-head={t("sets.parts")}>
					{t("sets.someVerified", {
						verified: formatNumber(parts.filter(isVerified).length),
						total: formatNumber(parts.length),
					})}
				</Table.Td>
			)}
			<Table.Td data-head={t("sets.size")} style={{ whiteSpace: "nowrap" }}>
				{formatSize(set.size)}
			</Table.Td>
			<Table.Td data-head={t("sets.kept")}>
				<span className={classes.fact}>
					{isPinned ? <IconPin size={16} aria-hidden /> : null}
					<KeptBecause fate={set.fate} keep={plan.keep} notRemoved={set.notRemoved} />
				</span>
			</Table.Td>
			<Table.Td>
				<span className={classes.acts}>
					<Button
						aria-label={t("sets.openLabel", { at })}
						onClick={() => go({ page: "backup-set", site: site.id, plan: plan.id, set: set.name })}
					>
						{t("sets.open")}
					</Button>
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

/** Returns the parts of a plan; `null` is the portal. */
function columnsOf({ parts }: BackupPlan): (ServerId | null)[] {
	return parts.map((part: PlanPart) => (part.kind === "portal" ? null : part.server));
}
