import { Checkbox, Chip, Group, Input, NumberInput, Paper, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCircleCheck, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, Day, KeepRules, NextRuns, PlanForm, PlanSets, ServerId, SiteView } from "@/bridge";
import { Board, boardClasses as classes } from "@/components/board";
import { ProblemNotice } from "@/components/notice";
import { Section } from "@/components/page";
import { FolderField, PathField } from "@/components/path-field";
import { PortalDestination } from "@/components/portal-destination";
import { Pages, usePages } from "@/components/searched-list";
import { Small } from "@/components/text";
import { labelled } from "@/lib/drafts";
import {
	formatClockTime,
	formatDateTime,
	formatDay,
	formatRun,
	formatTimeOfDay,
	formatWeekdayName,
	formatWhen,
	weekFromItsFirstDay,
} from "@/lib/format";
import { usePreferences } from "@/lib/preferences";
import { useNextRuns, usePlanPreview } from "@/lib/queries/plans";
import { useServerKind } from "@/lib/server-kind";
import { joined } from "@/messages/isolated";
import { KeptBecause } from "../shown/part-state";
import classesOfEditor from "./editor.module.css";
import { days, formOf, type PlanFormHandle, scheduleOf, seenAtOf } from "./values";

/** Form group: the parts of a plan and the destinations of their files. */
export function What({ site, plan, form }: { site: SiteView; plan: BackupPlan | null; form: PlanFormHandle }) {
	const { t } = useTranslation("plans");
	const kindOf = useServerKind();
	const onlyIn = usePreferences().policy?.plansFolder;
	const { t: ofExport } = useTranslation("exportPortal");
	const { hasPortal, kind, servers, deleteStored } = form.values;
	const choose = (server: ServerId, isChosen: boolean) =>
		form.setFieldValue("servers", isChosen ? [...servers, server] : servers.filter((one) => one !== server));
	const ofServer = t(deleteStored ? "edit.downloadAndDelete" : "edit.download");
	const fault = form.errors.servers;
	// A plan with a blob container cannot be saved without its key.
	const isKeyStored = plan?.parts.some((part) => part.kind === "portal" && part.store?.kind === "blob") ?? false;
	return (
		<Section title={t("edit.what")}>
			<Paper withBorder style={{ overflow: "hidden" }} data-path="servers" tabIndex={-1}>
				<Table aria-label={t("edit.what")}>
					<Table.Thead>
						<Table.Tr>
							<Table.Td w={40} />
							<Table.Th>{t("edit.part")}</Table.Th>
							<Table.Th>{t("edit.how")}</Table.Th>
							<Table.Th>{t("edit.expected")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{site.portal === null ? null : (
							<PartRow
								name={t("sets.portal")}
								how={kind === "folder" ? t("edit.onPortal") : ofExport(kind)}
								expected={t(seenAtOf(form.values) === null ? "edit.onSite" : "edit.verifiedHere")}
								isChosen={hasPortal}
								onChoose={(isChosen) => form.setFieldValue("hasPortal", isChosen)}
							/>
						)}
						{site.servers.map((server) => {
							const { id } = server;
							return id === null ? null : (
								<PartRow
									key={id}
									name={server.name}
									kind={kindOf(server)}
									how={ofServer}
									expected={t("edit.verifiedHere")}
									isChosen={servers.includes(id)}
									onChoose={(isChosen) => choose(id, isChosen)}
								/>
							);
						})}
					</Table.Tbody>
				</Table>
			</Paper>
			{fault ? (
				<Text size="xs" c="var(--mantine-color-error)" role="alert">
					{fault}
				</Text>
			) : null}
			{hasPortal ? (
				<>
					<PortalDestination
						kind={kind}
						getInputProps={form.getInputProps}
						keyHint={t(isKeyStored ? "edit.accountKeyStored" : "edit.accountKeyHint")}
					/>
					{kind === "folder" ? (
						<FolderField site={site} {...labelled(t, "edit.location")} {...form.getInputProps("location")} />
					) : (
						<TextInput
							label={ofExport("pointer")}
							description={ofExport("pointerHint")}
							spellCheck={false}
							{...form.getInputProps("location")}
						/>
					)}
					{kind === "folder" ? (
						<PathField
							kind="folder"
							placeholder={t("edit.noFolder")}
							{...labelled(t, "edit.seenAt")}
							chooseLabel={t("edit.chooseSeenAt")}
							removeLabel={t("edit.removeSeenAt")}
							{...form.getInputProps("seenAt")}
						/>
					) : null}
				</>
			) : null}
			<PathField
				kind="folder"
				placeholder={t("edit.noFolder")}
				label={t("edit.folder")}
				description={onlyIn ? `${t("edit.folderHint")} ${t("edit.onlyIn", { folder: onlyIn })}` : t("edit.folderHint")}
				chooseLabel={t("edit.chooseFolder")}
				{...form.getInputProps("folder")}
			/>
			<Checkbox {...labelled(t, "edit.deleteStored")} {...form.getInputProps("deleteStored", { type: "checkbox" })} />
			<Select
				{...labelled(t, "edit.rehearse")}
				maw={400}
				allowDeselect={false}
				data={(["", "month", "quarter"] as const).map((value) => ({
					value,
					label: t(`edit.rehearseEvery.${value || "never"}`),
				}))}
				{...form.getInputProps("rehearseEvery")}
			/>
		</Section>
	);
}

interface PartRowProps {
	name: string;
	/** Role or type of the server. */
	kind?: string;
	how: string;
	expected: string;
	isChosen: boolean;
	onChoose: (isChosen: boolean) => void;
}

function PartRow({ name, kind, how, expected, isChosen, onChoose }: PartRowProps) {
	const { t } = useTranslation("plans");
	return (
		<Table.Tr>
			<Table.Td>
				<Checkbox
					aria-label={t("edit.include", { part: name })}
					checked={isChosen}
					onChange={(event) => onChoose(event.currentTarget.checked)}
				/>
			</Table.Td>
			<Table.Td mod="anywhere">
				{name}
				{kind ? <Small>{kind}</Small> : null}
			</Table.Td>
			<Table.Td>{how}</Table.Td>
			<Table.Td>{expected}</Table.Td>
		</Table.Tr>
	);
}

/** Form group: the schedule, with its next runs. */
export function When({ site, form }: { site: SiteView; form: PlanFormHandle }) {
	const { t } = useTranslation("plans");
	const next = useNextRuns(scheduleOf(form.values)).data;
	return (
		<Section title={t("edit.when")}>
			<Input.Wrapper label={t("edit.days")} error={form.errors.days} labelElement="div">
				<Group gap={4} role="group" aria-label={t("edit.days")} data-path="days" tabIndex={-1}>
					<Chip.Group
						multiple
						value={form.values.days}
						onChange={(chosen) => form.setFieldValue("days", chosen as Day[])}
					>
						{weekFromItsFirstDay().map((place) => (
							<Chip key={days[place]} value={days[place] as Day} size="xs" radius="sm">
								{formatWeekdayName(place)}
							</Chip>
						))}
					</Chip.Group>
				</Group>
			</Input.Wrapper>
			<TextInput {...labelled(t, "edit.times")} spellCheck={false} maw={400} {...form.getInputProps("times")} />
			<Checkbox label={t("edit.catchUp")} {...form.getInputProps("catchUp", { type: "checkbox" })} />
			{site.environment === "practice" ? <Text c="dimmed">{t("practice")}</Text> : next ? <Next next={next} /> : null}
		</Section>
	);
}

function Next({ next: { runs, moved } }: { next: NextRuns }) {
	const { t } = useTranslation("plans");
	if (runs.length === 0) return <Text c="dimmed">{t("edit.never")}</Text>;
	return (
		<div role="status">
			<Text>{t("edit.next", { runs: joined(runs.map(formatRun), " · ") })}</Text>
			{moved === null ? null : (
				<Small>
					{t("edit.moved", {
						day: formatDay(moved.at),
						time: formatClockTime(moved.time),
						at: formatTimeOfDay(moved.at),
					})}
				</Small>
			)}
		</div>
	);
}

const rules = ["last", "daily", "weekly", "monthly", "withinDays"] as const;

/** Delay after the last digit before the preview is read, in milliseconds: each preview reads the folder. */
const previewDelay = 300;

/** Retention rules, with a preview of the sets they keep. */
export function Keep({ site, plan, form }: { site: SiteView; plan: BackupPlan | null; form: PlanFormHandle }) {
	const { t } = useTranslation("plans");
	// The preview does not depend on the name and the times.
	const [shown] = useDebouncedValue(
		JSON.stringify(formOf(site, plan, { ...form.values, name: "" }, false)),
		previewDelay,
	);
	return (
		<Section title={t("edit.keep")} hint={t("edit.keepHint")}>
			<div className={classesOfEditor.numbers}>
				{rules.map((rule) => (
					<NumberInput
						key={rule}
						label={t(`edit.${rule}`)}
						min={0}
						max={10_000}
						allowDecimal={false}
						hideControls
						{...form.getInputProps(rule)}
					/>
				))}
			</div>
			{form.values.folder === "" || plan === null ? null : <Preview form={JSON.parse(shown) as PlanForm} />}
		</Section>
	);
}

function Preview({ form }: { form: PlanForm }) {
	const { data: sets, error } = usePlanPreview(form);
	if (error) return <ProblemNotice problem={error} />;
	return sets ? <KeptSets sets={sets} keep={form.keep} /> : null;
}

function KeptSets({ sets: { sets, nothing, fullAt }, keep }: { sets: PlanSets; keep: KeepRules }) {
	const { t } = useTranslation("plans");
	const pages = usePages(sets);
	if (sets.length === 0) return <Text c="dimmed">{t("edit.noSets")}</Text>;
	const now = t("edit.setsNow", { count: sets.length });
	return (
		<Stack gap="xs">
			{nothing === null ? null : <Text c="dimmed">{t(`noRemoval.${nothing}`)}</Text>}
			<Board kind="sets" label={t("edit.preview")} heads={[now, t("edit.result"), t("edit.because")]}>
				{pages.shown.map(({ name, set, fate }) => {
					const isKept = fate.kind === "kept";
					const Icon = isKept ? IconCircleCheck : IconTrash;
					return (
						<Table.Tr key={name}>
							<Table.Td>{formatDateTime(set.started)}</Table.Td>
							<Table.Td data-head={t("edit.result")}>
								<span className={classes.fact}>
									<Icon size={16} color={isKept ? "var(--tone-succeeded)" : "var(--tone-warnings)"} aria-hidden />
									<Text component="span">{t(isKept ? "edit.kept" : "edit.removed")}</Text>
								</span>
							</Table.Td>
							<Table.Td data-head={t("edit.because")}>
								<KeptBecause fate={fate} keep={keep} />
							</Table.Td>
						</Table.Tr>
					);
				})}
			</Board>
			<Pages handle={pages} label={t("edit.setPages")} />
			<Small>{t("edit.afterNext")}</Small>
			{fullAt === null ? null : <Text size="xs">{t("sets.fullAt", { at: formatWhen(fullAt) })}</Text>}
		</Stack>
	);
}
