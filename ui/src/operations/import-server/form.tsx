import { Button, Checkbox, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { type ImportReport, type ImportServerForm, type SiteView, useBackend } from "@/bridge";
import { OperationScreen } from "@/components/operation-screen";
import { SentPreview } from "@/components/sent-preview";
import { useDraft } from "@/lib/drafts";
import { useFaults } from "@/lib/use-faults";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { Briefing, useBriefing } from "./briefing";
import { FileChoice, type Values } from "./file-choice";
import { Report } from "./report";

export function ImportServer({ site }: { site: SiteView }) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const handle = useOperation("import_server", site, (run, form: ImportServerForm) =>
		backend.importServer(site.id, run, form),
	);
	return (
		<OperationScreen
			operation="import_server"
			site={site}
			handle={handle}
			width="full"
			form={<Form site={site} handle={handle} />}
			report={(done) => <Report site={site} done={done} />}
			findOut={() => t("unknown")}
			again={t("again")}
		/>
	);
}

const empty: Values = {
	kind: "stored",
	stored: null,
	location: "",
	confirmation: "",
	parachute: true,
	alsoHere: false,
};

function Form({ site, handle }: { site: SiteView; handle: OperationHandle<ImportReport, ImportServerForm> }) {
	const { t } = useTranslation("importServer");
	const draft = useDraft<Values>(`${site.id} import_server`);
	const form = useForm<Values>({
		// The confirmation is typed each time.
		initialValues: { ...(draft.kept ?? empty), confirmation: "" },
		onValuesChange: draft.keep,
	});
	useFaults(form, handle.faults);
	const briefing = useBriefing(site);
	const toType = briefing.data?.confirmByTyping;
	const location = form.values.kind === "stored" ? (form.values.stored ?? "") : form.values.location.trim();
	const missing =
		location === ""
			? "needsFile"
			: toType === undefined
				? "needsBriefing"
				: form.values.confirmation.trim() === toType
					? null
					: "needsName";
	return (
		<form
			noValidate
			onSubmit={form.onSubmit(({ confirmation, parachute, alsoHere }) =>
				handle.start({
					location,
					confirmation: confirmation.trim(),
					parachute: parachute ? { alsoHere } : null,
				}),
			)}
		>
			<Stack gap="lg" maw={720}>
				<Step title={t("step1")}>
					<FileChoice site={site} form={form} />
				</Step>
				<Step title={t("step2")}>
					<Briefing briefing={briefing} />
				</Step>
				<Step title={t("step3")}>
					<Checkbox
						label={t("parachute")}
						description={t("parachuteHint")}
						{...form.getInputProps("parachute", { type: "checkbox" })}
					/>
					{form.values.parachute ? (
						<Checkbox label={t("alsoHere")} {...form.getInputProps("alsoHere", { type: "checkbox" })} />
					) : null}
					{toType === undefined ? (
						<Text size="sm">{t("confirmLater")}</Text>
					) : toType ? (
						<TextInput
							label={t("type", { text: toType })}
							spellCheck={false}
							autoComplete="off"
							{...form.getInputProps("confirmation")}
						/>
					) : (
						<Text size="sm">{t("noTyping")}</Text>
					)}
				</Step>
				<SentPreview site={site} path="/admin/importSite" parameters={[{ name: "location", value: location }]} />
				<Group>
					<Button type="submit" color="red" disabled={missing !== null}>
						{t("submit", { site: site.name })}
					</Button>
					{missing ? <Why>{t(missing)}</Why> : null}
				</Group>
			</Stack>
		</form>
	);
}

/** Steps stay visible: nothing of what is about to happen hides behind a "next". */
function Step({ title, children }: { title: string; children: ReactNode }) {
	const id = useId();
	return (
		<Stack gap="xs" component="section" aria-labelledby={id}>
			<Title order={2} size="h5" id={id}>
				{title}
			</Title>
			{children}
		</Stack>
	);
}

function Why({ children }: { children: ReactNode }) {
	return (
		<Text size="sm" c="dimmed">
			{children}
		</Text>
	);
}
