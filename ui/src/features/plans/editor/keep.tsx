import { NumberInput, Stack, Table, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCircleCheck, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, KeepRules, PlanForm, PlanSets, SiteView } from "@/bridge";
import { Board, boardClasses as classes } from "@/components/board";
import { ProblemNotice } from "@/components/notice";
import { Section } from "@/components/page";
import { Pages, usePages } from "@/components/pages";
import { Small } from "@/components/text";
import { formatDateTime, formatWhen } from "@/lib/format";
import { usePlanPreview } from "@/lib/queries/plans";
import { KeptBecause } from "../shown/part-state";
import classesOfEditor from "./editor.module.css";
import { formOf, type PlanFormHandle } from "./values";

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
