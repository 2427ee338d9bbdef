import { Group, List, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type PlanId, type RestoreStep, type SetPart, type SiteView, useBackend } from "@/bridge";
import { CommandButton, LoadingRows, ProblemNotice } from "@/components/notice";
import { OutcomeIcon } from "@/components/outcome";
import { HelpLink, Page, Section } from "@/components/page";
import { Step } from "@/components/step";
import { LinkButton } from "@/components/text";
import { formatDateTime, formatSize, formatTime } from "@/lib/format";
import { useHelp } from "@/lib/help";
import { useNavigation } from "@/lib/navigation";
import { usePlanSets, usePlans, useSiteRestore } from "@/lib/queries/plans";
import { useCommand, useStale } from "@/lib/use-command";
import { joined } from "@/messages/isolated";
import { PartStateWord, usePartName, usePartReason } from "../shown/part-state";
import { useImportStep } from "./use-import-step";

/** Parts that no export of a site contains. */
const outside = ["dataStores", "hosting", "caches", "serviceData", "administrator", "adaptors"] as const;

/** Steps of a restore from a backup set: the import of each part, in its own form. This page sends nothing. */
export function RestorePage({ site, plan: id, set: name }: { site: SiteView; plan: PlanId; set: string }) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const help = useHelp();
	const restore = useSiteRestore(id, name);
	const list = usePlans(site.id);
	const plan = list.data?.plans.find((view) => view.plan.id === id)?.plan;
	const set = usePlanSets(site.id, id).data?.sets.find((one) => one.name === name)?.set;
	const error = restore.error ?? list.error;
	const at = set ? formatDateTime(set.started) : null;
	return (
		<Page
			title={t("title", { site: site.name })}
			beside={at}
			back={{ label: t("back"), to: { page: "backup-set", site: site.id, plan: id, set: name } }}
			description={t("what")}
			after={t("order")}
			width="wide"
			actions={<HelpLink topic="backup-plans" about={t("title", { site: site.name })} />}
		>
			{error ? <ProblemNotice problem={error} onRetry={() => void restore.refetch()} /> : null}
			{restore.data === undefined && !error ? <LoadingRows height={48} /> : null}
			{restore.data && plan ? (
				<>
					{restore.data.begun === null ? null : <Begun plan={plan} at={restore.data.begun} />}
					{restore.data.steps.map((step, place) => (
						<RestoreStepView
							key={step.server ?? ""}
							site={site}
							plan={plan}
							set={name}
							number={place + 1}
							step={step}
							part={set?.parts.find(({ server }) => server === step.server)}
						/>
					))}
				</>
			) : null}
			<Section title={t("outside.title")}>
				<List spacing={4}>
					{outside.map((one) => (
						<List.Item key={one}>{t(`outside.${one}`)}</List.Item>
					))}
				</List>
				<Text c="dimmed">{t("outside.source")}</Text>
				<LinkButton ta="start" onClick={() => help("backup-plans")}>
					{t("outside.help")}
				</LinkButton>
			</Section>
		</Page>
	);
}

/** Start of the restore. Earlier imports do not count. */
function Begun({ plan, at }: { plan: BackupPlan; at: number }) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const end = useCommand(
		(backend) => backend.endRestore(plan.id),
		(stale) => stale("endRestore"),
	);
	return (
		<Group gap="sm">
			<Text>{t("begun", { at: formatTime(at) })}</Text>
			<CommandButton command={end} label={t("startOver")} />
			{end.error ? <ProblemNotice problem={end.error} /> : null}
		</Group>
	);
}

interface RestoreStepProps {
	site: SiteView;
	plan: BackupPlan;
	set: string;
	number: number;
	step: RestoreStep;
	/** Part of the set; `undefined` until the set is read. */
	part: SetPart | undefined;
}

function RestoreStepView({ site, plan, set, number, step, part }: RestoreStepProps) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const backend = useBackend();
	const stale = useStale();
	const reason = usePartReason();
	const nameOf = usePartName(site);
	const lead = useImportStep(site, plan.id, set);
	const open = useMutation({
		mutationFn: async () => {
			await backend.beginRestore(plan.id, set);
			await stale("beginRestore");
			await lead.mutateAsync(step);
		},
	});
	const { copy, server } = step;
	const isPortal = server === null;
	const name = isPortal ? step.name : nameOf(step);
	return (
		<Step number={number} title={t(isPortal ? "portal" : "server", { name })} done={isDone(step)}>
			{copy.kind === "none" ? (
				<Stack gap={2}>
					<Text fw={600}>{t(`noCopy.${copy.why}`)}</Text>
					{part && copy.why === "notInSet" ? (
						<Group gap="xs">
							<PartStateWord part={part} />
							<Text c="dimmed">{reason(part.state)}</Text>
						</Group>
					) : null}
				</Stack>
			) : (
				<Text mod="anywhere">
					{joined(
						[
							copy.kind === "here" ? copy.name : copy.location,
							copy.size === null ? t("noSize") : formatSize(copy.size),
							t(copy.isVerified ? "verified" : "notVerified"),
						],
						" · ",
					)}
				</Text>
			)}
			<Import step={step} />
			{isPortal && copy.kind !== "none" ? <Text c="dimmed">{t("signInAfter")}</Text> : null}
			{open.error ? <ProblemNotice problem={open.error} /> : null}
			{copy.kind === "none" ? null : (
				<Group>
					<CommandButton
						command={open}
						label={t("open")}
						aria-label={t("openLabel", { name: t(isPortal ? "portal" : "server", { name }) })}
					/>
				</Group>
			)}
		</Step>
	);
}

/** Whether the file of the set was imported since the start of the restore. */
function isDone({ import: newest }: RestoreStep): boolean {
	return newest?.file === "ofSet" && (newest.outcome === "succeeded" || newest.outcome === "warnings");
}

/** Latest import of a step, with a link to its entry. */
function Import({ step: { import: newest } }: { step: RestoreStep }) {
	const { t } = useTranslation(["plans", "common"]);
	const { go } = useNavigation();
	if (newest === null) return <Text c="dimmed">{t("plans:restore.notYet")}</Text>;
	const { file, outcome, at, record } = newest;
	return (
		<Group gap="xs">
			<OutcomeIcon outcome={outcome} />
			<Text>{t(`plans:restore.import.${file}`, { at: formatTime(at), outcome: t(`common:outcome.${outcome}`) })}</Text>
			<LinkButton onClick={() => go({ page: "history", record })}>{t("plans:restore.entry")}</LinkButton>
		</Group>
	);
}
