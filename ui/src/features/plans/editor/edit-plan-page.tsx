import { Button, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { BackupPlan, PlanId, SiteView } from "@/bridge";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { HelpLink, Page, Section } from "@/components/page";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { useNavigation } from "@/lib/navigation";
import { usePlans } from "@/lib/queries/plans";
import { useCommand } from "@/lib/use-command";
import { useKeptForm } from "@/lib/use-kept-form";
import { useSetEnabled } from "../shown/use-set-enabled";
import { Tell } from "../tell/tell";
import { BeforeRun, useAcceptance } from "./before-run";
import classes from "./editor.module.css";
import { fieldOf, formOf, newValues, type PlanValues, timesOf, valuesOf } from "./values";
import { Keep, What, When } from "./what";

export function EditPlanPage({ site, plan }: { site: SiteView; plan: PlanId | null }) {
	const { t } = useTranslation("plans");
	const { data: list, error, refetch } = usePlans(site.id);
	const saved = list?.plans.find((view) => view.plan.id === plan)?.plan ?? null;
	return (
		<Page
			title={t("title")}
			beside={saved?.name ?? (plan === null ? t("edit.new") : null)}
			width="wide"
			actions={
				<>
					{saved?.isEnabled ? <PauseButton plan={saved} /> : null}
					<HelpLink topic="backup-plans" about={t("title")} />
				</>
			}
		>
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{list === undefined && !error ? <LoadingRows height={96} /> : null}
			{list && plan !== null && saved === null ? <Notice tone="warnings" title={t("edit.notThere")} /> : null}
			{plan === null || saved ? <PlanEditor key={saved?.id} site={site} plan={saved} /> : null}
		</Page>
	);
}

/** Pauses the saved plan. Unsaved input stays in the form. */
function PauseButton({ plan }: { plan: BackupPlan }) {
	const { t } = useTranslation("plans");
	const enable = useSetEnabled(plan);
	return (
		<>
			<ProblemNotice problem={enable.error} />
			<Button loading={enable.isPending} onClick={() => enable.mutate(false)}>
				{t("menu.pause")}
			</Button>
		</>
	);
}

const typed = draftKey<PlanValues>();

/** Translated at render time, so that it follows a change of the language. */
function TimesFault() {
	const { t } = useTranslation("plans");
	return t("edit.timesFault");
}

interface Saving {
	values: PlanValues;
	isEnabled: boolean;
}

export function PlanEditor({ site, plan }: { site: SiteView; plan: BackupPlan | null }) {
	const { t } = useTranslation("plans");
	const { go } = useNavigation();
	const form = useKeptForm(typed(`${site.id} ${plan?.id ?? "new"}`), {
		initialValues: plan ? valuesOf(plan) : newValues(site),
		unkept: { accountKey: "" },
		validate: { times: (times) => (timesOf(times) === null ? <TimesFault /> : null) },
	});
	const acceptance = useAcceptance(site, plan, form.values);
	const list = useRef<HTMLDivElement>(null);
	const save = useCommand(
		async (backend, { values, isEnabled }: Saving) => {
			const wanted = { ...formOf(site, plan, values, isEnabled), accountKey: values.accountKey || null };
			const now = await backend.savePlan(wanted);
			form.forget();
			return now;
		},
		["savePlan", site.id],
		{
			onDone: ({ id }) => go({ page: "plans", site: site.id, plan: id }),
			onFailed: ({ kind }) => {
				if (kind !== "planNotAccepted") return;
				acceptance.reload();
				list.current?.focus();
			},
		},
	);
	const problem = useFormFaults(save.error, form, fieldOf);
	const { obstacle } = acceptance;
	const blocked = useId();
	const submit = (isEnabled: boolean) =>
		form.onSubmit((values) => {
			if (isEnabled && obstacle) return;
			save.reset();
			save.mutate({ values, isEnabled });
		});
	return (
		<SubmitForm onSubmit={submit(true)}>
			<div className={classes.columns}>
				<Stack gap="lg">
					<TextInput {...labelled(t, "edit.name")} maw={400} {...form.getInputProps("name")} />
					<What site={site} plan={plan} form={form} />
					<When site={site} form={form} />
					<Keep site={site} plan={plan} form={form} />
					<Section title={t("edit.tell")}>
						<div data-path="alerts" tabIndex={-1} style={{ outline: "none" }}>
							<Tell
								value={form.values.alerts}
								onChange={(channels) => form.setFieldValue("alerts", channels)}
								error={form.errors.alerts ?? null}
							/>
						</div>
						<Checkbox
							mt="sm"
							{...labelled(t, "edit.tellsChanges")}
							checked={form.values.tellsChanges}
							onChange={({ currentTarget }) => form.setFieldValue("tellsChanges", currentTarget.checked)}
						/>
					</Section>
				</Stack>
				<Stack gap="sm" className={classes.side ?? ""}>
					<BeforeRun site={site} acceptance={acceptance} ref={list} />
					{problem && problem.kind !== "planNotAccepted" ? <ProblemNotice problem={problem} /> : null}
					<SubmitButton
						fullWidth
						disabled={obstacle !== null}
						loading={save.isPending && save.variables.isEnabled}
						{...(obstacle ? { "aria-describedby": blocked } : {})}
					>
						{t("edit.save")}
					</SubmitButton>
					{obstacle ? (
						<Text c="dimmed" id={blocked}>
							{t("accept.blocked")}
						</Text>
					) : null}
					<Button
						size="sm"
						fullWidth
						loading={save.isPending && !save.variables.isEnabled}
						onClick={() => submit(false)()}
					>
						{t("edit.savePaused")}
					</Button>
				</Stack>
			</div>
		</SubmitForm>
	);
}
