import { Group, List, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type BackupPlan, type PlanId, type RestoreStep, type SetPart, type SiteView, useBackend } from "@/bridge";
import { Board, boardClasses, FactCell } from "@/components/board";
import { CommandButton, LoadingRows, ProblemNotice } from "@/components/notice";
import { HelpLink, Page, Section } from "@/components/page";
import { Breakable, LinkButton, Small } from "@/components/text";
import { formatDateTime, formatSize, formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { usePlanSets, usePlans, useSiteRestore } from "@/lib/queries/plans";
import { useCommand, useStale } from "@/lib/use-command";
import { dotted } from "@/messages/isolated";
import { PartStateWord, useOtherVersion, usePartName, usePartReason } from "../shown/part-state";
import { useImportStep } from "./use-import-step";

/** Parts that no export of a site contains. */
const outside = ["dataStores", "hosting", "caches", "serviceData", "administrator", "adaptors"] as const;

/** Steps of a restore from a backup set: the import of each part, in its own form. This page sends nothing. */
export function RestorePage({ site, plan: id, set: name }: { site: SiteView; plan: PlanId; set: string }) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const { go } = useNavigation();
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
			<ProblemNotice problem={error} onRetry={() => void restore.refetch()} />
			{restore.data === undefined && !error ? <LoadingRows height={48} /> : null}
			{restore.data && plan ? (
				<>
					{restore.data.begun === null ? null : <Begun plan={plan} at={restore.data.begun} />}
					<Board kind="restore" label={t("title", { site: site.name })} heads={[t("part"), t("file"), t("state"), ""]}>
						{restore.data.steps.map((step) => (
							<StepRow
								key={step.server ?? ""}
								site={site}
								plan={plan}
								set={name}
								step={step}
								isNext={step === restore.data.steps.find(isOpen)}
								part={set?.parts.find(({ server }) => server === step.server)}
							/>
						))}
					</Board>
				</>
			) : null}
			<Section title={t("outside.title")}>
				<List spacing={4}>
					{outside.map((one) => (
						<List.Item key={one}>{t(`outside.${one}`)}</List.Item>
					))}
				</List>
				<Text c="dimmed">{t("outside.source")}</Text>
				<LinkButton ta="start" onClick={() => go({ page: "help", topic: "backup-plans" })}>
					{t("outside.help")}
				</LinkButton>
			</Section>
		</Page>
	);
}

/** Start of the restore. Earlier imports do not count. */
function Begun({ plan, at }: { plan: BackupPlan; at: number }) {
	const { t } = useTranslation("plans", { keyPrefix: "restore" });
	const end = useCommand((backend) => backend.endRestore(plan.id), ["endRestore"]);
	return (
		<Group gap="sm">
			<Text>{t("begun", { at: formatTime(at) })}</Text>
			<CommandButton command={end} label={t("startOver")} />
			<ProblemNotice problem={end.error} />
		</Group>
	);
}

interface StepRowProps {
	site: SiteView;
	plan: BackupPlan;
	set: string;
	step: RestoreStep;
	/** Whether it is the first part that is left to import. */
	isNext: boolean;
	/** Part of the set; `undefined` until the set is read. */
	part: SetPart | undefined;
}

function StepRow({ site, plan, set, step, isNext, part }: StepRowProps) {
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
	const name = t(isPortal ? "portal" : "server", { name: isPortal ? step.name : nameOf(step) });
	const versionOf = useOtherVersion();
	return (
		<Table.Tr aria-label={name}>
			<Table.Td>
				<Text fw={600}>{name}</Text>
				{isPortal && isOpen(step) ? <Small>{t("signInAfter")}</Small> : null}
			</Table.Td>
			{copy.kind === "none" ? (
				<Table.Td data-head={t("file")}>
					<Text fw={600}>{t(`noCopy.${copy.why}`)}</Text>
					{part && copy.why === "notInSet" ? (
						<>
							<PartStateWord part={part} />
							<Small>{reason(part.state)}</Small>
						</>
					) : null}
				</Table.Td>
			) : (
				<FactCell
					head={t("file")}
					tone={step.otherVersion ? "failed" : null}
					below={dotted(
						copy.size === null ? t("noSize") : formatSize(copy.size),
						t(copy.isVerified ? "verified" : "notVerified"),
						versionOf(step),
					)}
					fact={<Breakable>{copy.kind === "here" ? copy.name : copy.location}</Breakable>}
				/>
			)}
			<Import step={step} />
			<Table.Td>
				<span className={boardClasses.acts}>
					<ProblemNotice problem={open.error} />
					{isOpen(step) ? (
						<CommandButton
							command={open}
							label={t("open")}
							aria-label={t("openLabel", { name })}
							variant={isNext ? "filled" : "default"}
						/>
					) : null}
				</span>
			</Table.Td>
		</Table.Tr>
	);
}

/** Whether a step has a file that was not imported since the start of the restore. */
export function isOpen({ copy, import: newest }: RestoreStep): boolean {
	const isDone = newest?.file === "ofSet" && (newest.outcome === "succeeded" || newest.outcome === "warnings");
	return copy.kind !== "none" && !isDone;
}

/** Latest import of a step, with a link to its entry. */
function Import({ step: { import: newest } }: { step: RestoreStep }) {
	const { t } = useTranslation(["plans", "common"]);
	const { go } = useNavigation();
	return (
		<FactCell
			head={t("plans:restore.state")}
			tone={newest?.outcome ?? null}
			dimmed={newest === null}
			below={
				newest === null ? null : (
					<LinkButton size="xs" onClick={() => go({ page: "history", record: newest.record })}>
						{t("plans:restore.entry")}
					</LinkButton>
				)
			}
			fact={
				newest === null
					? t("plans:restore.notYet")
					: t(`plans:restore.import.${newest.file}`, {
							at: formatTime(newest.at),
							outcome: t(`common:outcome.${newest.outcome}`),
						})
			}
		/>
	);
}
