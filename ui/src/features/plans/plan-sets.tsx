import { Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPin, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
	BackupPlan,
	SetSearch as Found,
	FoundServer,
	PlanPart,
	ServerId,
	SetName,
	PlanSets as Sets,
	SetView,
	SiteView,
	StrangeFolder,
	UnsearchedSet,
} from "@/bridge";
import { Board, boardClasses as classes } from "@/components/board";
import { Foldable } from "@/components/foldable";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { Pages, usePages } from "@/components/searched-list";
import { SubmitForm } from "@/components/submit-form";
import { Heading, LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { draftKey, useFormFaults, useSessionState } from "@/lib/drafts";
import { formatDateTime, formatDuration, formatSize, formatTimeOfDay, formatWhen } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { usePlanSets, useSetSearch } from "@/lib/queries/plans";
import { serverName } from "@/lib/target";
import { dotted, joined } from "@/messages/isolated";
import { useImportStep } from "./restore/use-import-step";
import { isVerified, KeptBecause, PartStateWord, usePartName } from "./shown/part-state";

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
	const { data: sets, dataUpdatedAt, error, refetch } = usePlanSets(site.id, plan.folder === "" ? null : plan.id);
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<SetSearch
				site={site}
				title={<Heading id={id}>{t("sets.title", { plan: plan.name })}</Heading>}
				act={<Button onClick={() => go({ page: "edit-plan", site: site.id, plan: plan.id })}>{t("menu.edit")}</Button>}
			/>
			{sets ? <Small mod="anywhere">{summaryOf(sets)}</Small> : null}
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{sets === undefined && !error && plan.folder !== "" ? <LoadingRows height={32} /> : null}
			{sets ? <SetBoard key={plan.id} site={site} plan={plan} sets={sets} /> : null}
		</Stack>
	);

	function summaryOf({ sets, size, free, fullAt }: Sets): string {
		const count = sets.length;
		const inFolder = t("sets.summary", { count, size: formatSize(size), folder: plan.folder });
		const at = formatTimeOfDay(dataUpdatedAt);
		const room = free === null ? "" : t("sets.free", { size: formatSize(free), at });
		const end = fullAt === null ? "" : t("sets.fullAt", { at: formatWhen(fullAt) });
		return dotted(inFolder, room, end);
	}
}

function SetBoard({ site, plan, sets: { sets, nothing, strange } }: PlanSetsProps & { sets: Sets }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
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
				<Notice tone="warnings" title={t("sets.strange", { count: strange.length })}>
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
				<LinkButton size="xs" onClick={() => go({ page: "help", topic: "backup-plans" })}>
					{t("sets.besides")}
				</LinkButton>
				{older > 0 ? (
					<LinkButton size="xs" onClick={() => setWhole(true)}>
						{t("sets.older", { count: older })}
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
					{t("sets.someVerified", { verified: parts.filter(isVerified).length, total: parts.length })}
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

const draftOf = draftKey<string>();

/** Search for a service in the sets of all plans of a site. It reads many files, so it starts only on submit. */
export function SetSearch({ site, title, act }: { site: SiteView; title: ReactNode; act: ReactNode }) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	// Keeps the last search for Back from a set.
	const [asked, setAsked] = useSessionState(draftOf(site.id), "");
	const form = useForm({ initialValues: { words: asked } });
	const search = useSetSearch(site.id, asked);
	const refused = useFormFaults(search.error, form);
	return (
		<>
			<Group gap="sm">
				{title}
				<SubmitForm
					style={{ flex: 1 }}
					onSubmit={form.onSubmit(({ words }) => {
						const next = words.trim();
						if (next === asked && next !== "") void search.refetch();
						setAsked(next);
					})}
				>
					<Group gap="xs" wrap="nowrap">
						<TextInput
							size="xs"
							flex="0 1 300px"
							aria-label={t("words")}
							placeholder={t("placeholder")}
							leftSection={<IconSearch size={16} aria-hidden />}
							{...form.getInputProps("words")}
						/>
						<Button type="submit" flex="none" loading={search.isFetching}>
							{t("search")}
						</Button>
					</Group>
				</SubmitForm>
				{act}
			</Group>
			<ProblemNotice problem={refused} />
			{search.isLoading ? <LoadingRows height={32} /> : null}
			{search.data ? <Result site={site} words={asked} found={search.data} /> : null}
		</>
	);
}

function Result({ site, words, found: { found, unsearched, unread, searched } }: ResultProps) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const pages = usePages(found);
	const count = unsearched.length + unread.length;
	return (
		<>
			<Text role="status">{t("found", { count: found.length, words, searched })}</Text>
			{found.length === 0 ? null : (
				<Table aria-label={t("title")}>
					<Heads of={[t("set"), t("plan"), t("has")]} />
					<Table.Tbody>
						{pages.shown.map(({ set, servers }) => (
							<Table.Tr key={`${set.plan} ${set.name}`}>
								<Table.Td style={{ whiteSpace: "nowrap" }}>
									<SetLink site={site} set={set} />
								</Table.Td>
								<Table.Td>{set.planName}</Table.Td>
								<Table.Td mod="anywhere">
									{servers.map((server) => (
										<ServerPaths key={server.server} site={site} set={set} found={server} />
									))}
								</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			)}
			<Pages handle={pages} label={t("pages")} />
			{count === 0 ? null : (
				<Foldable title={t("unsearched", { count })}>
					<Stack gap={4}>
						<StrangeFolders folders={unread} />
						<Unsearched site={site} sets={unsearched} />
					</Stack>
				</Foldable>
			)}
		</>
	);
}

interface ResultProps {
	site: SiteView;
	words: string;
	found: Found;
}

function SetLink({ site, set }: { site: SiteView; set: SetName }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const at = formatDateTime(set.started);
	return (
		<LinkButton
			aria-label={t("sets.openLabel", { at })}
			onClick={() => go({ page: "backup-set", site: site.id, plan: set.plan, set: set.name })}
		>
			{at}
		</LinkButton>
	);
}

/**
 * Matching services of a server, the number of the others, and a link to what an import of the set would change there.
 */
function ServerPaths({ site, set, found }: { site: SiteView; set: SetName; found: FoundServer }) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const { t: plans } = useTranslation("plans");
	const nameOf = usePartName(site);
	const lead = useImportStep(site, set.plan, set.name);
	const { paths, count, server } = found;
	const more = count - paths.length;
	const shown = more === 0 ? paths : [...paths, t("more", { count: more })];
	return (
		<>
			<Text>{`${nameOf(found)}: ${joined(shown, ", ")}`}</Text>
			{site.servers.some(({ id }) => id === server) ? (
				<LinkButton
					aria-label={plans("set.changeLabel", { part: nameOf(found) })}
					onClick={() => lead.mutate({ server })}
				>
					{plans("set.change")}
				</LinkButton>
			) : null}
			<ProblemNotice problem={lead.error} />
		</>
	);
}

function Unsearched({ site, sets }: { site: SiteView; sets: readonly UnsearchedSet[] }) {
	const { t } = useTranslation("plans", { keyPrefix: "search" });
	const nameOf = usePartName(site);
	const pages = usePages(sets);
	return (
		<>
			{pages.shown.map(({ set, servers }) => (
				<Group key={`${set.plan} ${set.name}`} gap="xs">
					<SetLink site={site} set={set} />
					<Text>
						{dotted(set.planName, ...servers.map((server) => `${nameOf(server)}: ${t(`why.${server.why}`)}`))}
					</Text>
				</Group>
			))}
			<Pages handle={pages} label={t("unsearchedPages")} />
		</>
	);
}

/** Folders that are no sets of a plan, each with the reason. */
function StrangeFolders({ folders }: { folders: StrangeFolder[] }) {
	const { t } = useTranslation("plans", { keyPrefix: "strange" });
	return folders.map(({ folder, why }) => (
		<Text key={folder} mod="anywhere">
			{t(why.kind, { folder, ...("of" in why ? { of: why.of } : {}), ...("said" in why ? { said: why.said } : {}) })}
		</Text>
	));
}
