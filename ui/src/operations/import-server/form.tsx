import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
	type ChangeSummary,
	type ExportComparison,
	type GatedParameter,
	type ImportReport,
	type ImportServerForm,
	type Parameter,
	type Problem,
	type RecordId,
	type SiteView,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ConfirmImport } from "@/components/import-parts";
import { LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { OperationScreen } from "@/components/operation-screen";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview, TokenExpiryCheck } from "@/components/request-preview";
import { Step } from "@/components/step";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { Lines } from "@/components/text";
import { confirms, toTypeForImport } from "@/lib/confirmation";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { formatDateTime, formatDuration } from "@/lib/format";
import { useSnapshotBeforeImport } from "@/lib/queries/changes";
import { useLastEntry, useUndo } from "@/lib/queries/history";
import { useRoomForCopy, useSession } from "@/lib/queries/program";
import { useChangeSummary, useExportComparison, useUploads } from "@/lib/queries/site";
import { useLastUpload } from "@/lib/queries/uploads";
import { type OperationHandle, useOperation } from "@/lib/runs";
import { serverOf, targetKey, useTargetName, useTargetNameOf } from "@/lib/target";
import { useFileForForm } from "@/lib/use-file-for-form";
import { useKeptForm } from "@/lib/use-kept-form";
import { unavailableParameter, unavailableReason, unavailableText } from "@/lib/use-read-only";
import { AdminUrl, passesAdaptor } from "./admin-url";
import { ComparisonNotice, countRemovedServices } from "./comparison";
import { exportLocation, FileChoice, locationOf, type Values } from "./file-choice";
import { Report, StillDeactivated } from "./report";
import { UndoImport, useUndoImport } from "./undo-import";

const draftOf = draftKey<Values>();

export function ImportServer({ site }: { site: SiteView }) {
	const { t } = useTranslation("importServer");
	const backend = useBackend();
	const handle = useOperation("import_server", site, (run, form: ImportServerForm) =>
		backend.importServer(serverOf(site), run, form),
	);
	const form = useKeptForm(draftOf(targetKey(serverOf(site))), { initialValues: empty, unkept: { confirmation: "" } });
	const lastUpload = useLastUpload(serverOf(site))?.run ?? null;
	useChosenAnew(handle, () => form.setValues(usual));
	useFileForForm("siteFile", handle, (file) =>
		form.setValues({ kind: "here", uploaded: null, dropped: { file, after: lastUpload } }),
	);
	return (
		<OperationScreen
			operation="import_server"
			site={site}
			handle={handle}
			above={<StillDeactivated site={site} />}
			form={<Form site={site} handle={handle} form={form} />}
			report={(done) => <Report site={site} done={done} />}
			// "Nothing was sent" might be false: webhooks might have been deactivated.
			notSent={t("notSent", { site: site.name })}
			findOut={({ deactivateWebhooks }) =>
				deactivateWebhooks === null ? t("unknown") : `${t("unknown")} ${t("unknownWebhooks")}`
			}
			again={t("again")}
			failedImport={(problem, record) => <FailedImport site={site} problem={problem} record={record} />}
			repeats
		/>
	);
}

/** Failed import with its undo. After the undo, the failure no longer describes the site. */
function FailedImport({ site, problem, record }: { site: SiteView; problem: Problem; record: RecordId }) {
	const { end } = useUndoImport(site, record);
	const target = useTargetNameOf("import_server", site);
	const undone = useUndo(site.id, "import_server", record) !== null || end.kind === "done";
	return (
		<>
			{undone ? null : <ProblemNotice problem={problem} />}
			<UndoImport site={site} target={target} record={record} />
		</>
	);
}

/** Options that are chosen anew for each import. */
const usual = {
	safetyBackup: true,
	alsoHere: null,
	quiet: false,
	checkFirst: false,
	restartWebServer: true,
} satisfies Partial<Values>;

const empty: Values = {
	kind: "stored",
	stored: null,
	uploaded: null,
	dropped: null,
	taken: null,
	location: "",
	confirmation: "",
	reason: "",
	...usual,
};

/** Results after which the options were reset. */
const chosenAfter = new WeakSet<object>();

/** Calls `choose` once after each import that was sent. A rejected or stopped form keeps its options. */
function useChosenAnew({ state }: OperationHandle<ImportReport, ImportServerForm>, choose: () => void): void {
	const isFailed = state.kind === "failed" && state.problem.kind === "importFailed";
	const wasSent = state.kind === "done" || state.kind === "unknown" || isFailed;
	const chooseNow = useEffectEvent(choose);
	useEffect(() => {
		if (!wasSent || chosenAfter.has(state)) return;
		chosenAfter.add(state);
		chooseNow();
	}, [wasSent, state]);
}

/** Why the import cannot be sent yet. */
type Missing = "needsAdminUrl" | "uploadFirst" | "needsFile" | "needsComparison" | "needsChangeSummary" | "needsName";

interface FormProps {
	site: SiteView;
	handle: OperationHandle<ImportReport, ImportServerForm>;
	/** Owned by the parent, so that a file can be dropped while a report is shown. */
	form: UseFormReturnType<Values>;
}

function Form({ site, handle, form }: FormProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const { t: common } = useTranslation();
	useFormFaults(handle.problem, form);
	const summary = useChangeSummary(serverOf(site));
	const toType = toTypeForImport(site, site.currentServer);
	const uploads = useUploads(serverOf(site)).data;
	// The file of the last import might have been deleted.
	const isGone = form.values.kind === "stored" && uploads?.every(({ id }) => id !== form.values.stored);
	const location = isGone ? "" : locationOf(form.values);
	useSnapshotBeforeImport(site.id, location !== "");
	// Debounced: the path is typed letter by letter.
	const [typed] = useDebouncedValue(location, 500);
	const comparison = useExportComparison(serverOf(site), exportLocation(form.values, location, typed));
	const gone = countRemovedServices(comparison);
	const nameOf = useTargetName();
	const [throughAdaptor, setThroughAdaptor] = useState(false);
	const fileChoice = useRef<HTMLDivElement>(null);
	const needsAdminUrl = passesAdaptor(site, site.currentServer);
	const isComparing = comparison.isFetching || (form.values.kind === "path" && typed !== location);
	const missing = ((): Missing | null => {
		if (needsAdminUrl && !throughAdaptor) return "needsAdminUrl";
		if (location === "") return form.values.kind === "here" ? "uploadFirst" : "needsFile";
		if (isComparing) return "needsComparison";
		if (summary.data === undefined) return "needsChangeSummary";
		return confirms(form.values.confirmation, toType) ? null : "needsName";
	})();
	const room = useRoomForCopy();
	// The practice site already stores its exports on this computer.
	const alsoHere = form.values.alsoHere ?? (room && site.environment !== "practice");
	const session = useSession(site).data;
	const cannotDeactivate = unavailableReason(session, "deactivate_webhooks");
	const has = (parameter: GatedParameter) =>
		session != null && unavailableParameter(session, "import_server", parameter) === null;
	const canCheck = has("validate");
	const options = {
		checkFirst: canCheck && form.values.checkFirst,
		restartWebServer: form.values.restartWebServer,
		throughWebAdaptor: throughAdaptor,
	};
	const goesTo = site.importAddresses[site.currentServer ?? ""] ?? site.server;
	const fill = (sent: readonly Parameter[]) => {
		const { value: file = "", isUpload = false } = sent.find(({ name }) => name === "location") ?? {};
		form.setValues({ ...usual, ...(isUpload ? { kind: "stored", stored: file } : { kind: "path", location: file }) });
	};
	return (
		<SubmitForm
			onSubmit={form.onSubmit(({ confirmation, reason, safetyBackup, quiet }) => {
				const sent = {
					location,
					confirmation: confirmation.trim(),
					safetyBackup: safetyBackup ? { alsoHere } : null,
					deactivateWebhooks: quiet && !cannotDeactivate ? t("deactivateWebhooksReason", { location }) : null,
					options,
				};
				handle.start(sent, reason);
				form.setValues({ confirmation: "", reason: "" });
			})}
		>
			<Stack gap="lg">
				<PreviousValues site={site} operation="import_server" onFill={fill} />
				<Step number={1} title={t("step.file")}>
					<FileChoice ref={fileChoice} site={site} form={form} />
				</Step>
				{needsAdminUrl ? (
					<AdminUrl
						site={site}
						server={site.currentServer}
						throughAdaptor={throughAdaptor}
						onThroughAdaptor={setThroughAdaptor}
					/>
				) : null}
				<Step number={2} title={t("step.change")}>
					<ComparisonNotice site={site} query={comparison} />
					<ChangeSummaryNotice site={site} summary={summary} compared={comparison.data} />
				</Step>
				<Step number={3} title={t("step.preparation")}>
					<Checkbox {...labelled(t, "safetyBackup")} {...form.getInputProps("safetyBackup", { type: "checkbox" })} />
					{form.values.safetyBackup ? (
						<Checkbox
							label={t("alsoHere")}
							checked={alsoHere}
							onChange={(event) => form.setFieldValue("alsoHere", event.currentTarget.checked)}
						/>
					) : null}
					<Checkbox
						label={t("deactivateWebhooks")}
						description={cannotDeactivate ? unavailableText(common, cannotDeactivate) : t("deactivateWebhooksHint")}
						disabled={cannotDeactivate !== null}
						{...form.getInputProps("quiet", { type: "checkbox" })}
					/>
					{canCheck ? (
						<Checkbox {...labelled(t, "checkFirst")} {...form.getInputProps("checkFirst", { type: "checkbox" })} />
					) : null}
					{has("restartWebServer") ? (
						<Checkbox
							{...labelled(t, "restartWebServer")}
							{...form.getInputProps("restartWebServer", { type: "checkbox" })}
						/>
					) : null}
				</Step>
				<Step number={4} title={t("ask", { site: target })}>
					{comparison.data?.otherServer ? (
						<Notice
							text={t("comparison.otherServerEffect", { server: target })}
							tone="failed"
							role="status"
							title={t("comparison.otherServer", { server: nameOf(comparison.data.otherServer) })}
						>
							<Group>
								<Button onClick={() => fileChoice.current?.querySelector<HTMLElement>("input:checked")?.focus()}>
									{t("comparison.changeFile")}
								</Button>
							</Group>
						</Notice>
					) : null}
					<Text>
						{t("what", { site: target })} <LastTook site={site} /> {form.values.safetyBackup ? t("canUndo") : null}
					</Text>
					{gone !== null && gone > 0 ? <Text fw={600}>{t("comparison.gone", { count: gone })}</Text> : null}
					{form.values.safetyBackup ? null : <Text fw={600}>{t("noSafetyBackup")}</Text>}
					<ConfirmImport
						toType={toType}
						target={target}
						isReady={summary.data !== undefined}
						confirmation={form.values.confirmation}
						getInputProps={form.getInputProps}
					/>
				</Step>
				{goesTo ? <Text mod="anywhere">{t("goesTo", { address: goesTo })}</Text> : null}
				<RequestPreview
					site={site}
					form={{
						operation: "import_server",
						form: { location, confirmation: "", safetyBackup: null, deactivateWebhooks: null, options },
					}}
				/>
				<TokenExpiryCheck site={site} operation="import_server" />
				<Group>
					<SubmitButton color="red" disabled={missing !== null}>
						{t("submit", { site: target })}
					</SubmitButton>
					{missing ? <Text c="dimmed">{t(missing)}</Text> : null}
				</Group>
			</Stack>
		</SubmitForm>
	);
}

/** Duration of the last import; renders nothing if it failed or its outcome is unknown. */
function LastTook({ site }: { site: SiteView }) {
	const { t } = useTranslation("importServer");
	const last = useLastEntry("import_server", site);
	if (!last || last.endedAt === null || last.outcome === "failed" || last.outcome === "unknown") return null;
	const took = formatDuration(last.endedAt - last.startedAt);
	return t("lastTook", { took, at: formatDateTime(last.endedAt) });
}

interface ChangeSummaryProps {
	site: SiteView;
	summary: UseQueryResult<ChangeSummary, Problem>;
	/** Comparison with the selected export; `undefined` until it is read. */
	compared: ExportComparison | undefined;
}

function ChangeSummaryNotice({ site, summary, compared }: ChangeSummaryProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	if (summary.isPending) return <LoadingRows rows={3} height={20} />;
	if (summary.error) return <ProblemNotice problem={summary.error} onRetry={() => void summary.refetch()} />;
	const { excluded } = summary.data;
	// The excluded parts are listed below.
	const cautions = summary.data.cautions.filter((caution) => caution !== "excludedFromExport");
	// The count of the comparison takes precedence, because services can be published while the form is open.
	const { services } = compared?.comparison ? compared : summary.data;
	return (
		<>
			{services === null ? null : <Text fw={600}>{t("services", { count: services, site: target })}</Text>}
			<Foldable title={t("effectsTitle")}>
				<Lines spacing={4} lines={cautions.map((caution) => t(`caution.${caution}`))} />
			</Foldable>
			<Foldable title={t("excludedTitle")}>
				<Lines spacing={4} lines={excluded.map((part) => t(`excluded.${part}`))} />
			</Foldable>
		</>
	);
}
