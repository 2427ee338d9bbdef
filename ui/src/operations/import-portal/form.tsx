import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import {
	type ImportPortalForm,
	type KnownPortalExport,
	type Parameter,
	type PortalImportReport,
	type Problem,
	type RecordId,
	type SessionView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { Foldable } from "@/components/foldable";
import { ConfirmImport } from "@/components/import-parts";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { OperationScreen } from "@/components/operation-screen";
import { FactList } from "@/components/outcome";
import { FolderField } from "@/components/path-field";
import {
	destinationIn,
	noPortalStore,
	PortalDestination,
	type PortalDestinationValues,
	storeOf,
} from "@/components/portal-destination";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview, TokenExpiryCheck } from "@/components/request-preview";
import { Step } from "@/components/step";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { confirms, toTypeForImport } from "@/lib/confirmation";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { fileName, formatSize, formatTime } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import { useSnapshotBeforeImport } from "@/lib/queries/changes";
import { useUndo } from "@/lib/queries/history";
import { usePortalChangeSummary, usePortalExportComparison } from "@/lib/queries/site";
import { type OperationHandle, useOperation } from "@/lib/runs";
import { useKeptForm } from "@/lib/use-kept-form";
import { unavailableParameter, unavailableText } from "@/lib/use-read-only";
import { dotted } from "@/messages/isolated";
import { ComparisonNotice, Effects } from "./comparison";
import { Report } from "./report";
import { UndoPortalImport } from "./undo";

const draftOf = draftKey<Values>();

export function ImportPortal({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation("importPortal");
	const backend = useBackend();
	const handle = useOperation(
		"import_portal",
		site,
		(run, form: ImportPortalForm) => backend.importPortal(site.id, run, form),
		// Kept without the store, which might contain an account key.
		(form) => ({ ...form, store: null }),
	);
	return (
		<OperationScreen
			operation="import_portal"
			site={site}
			handle={handle}
			form={<Form site={site} session={session} handle={handle} />}
			report={(done) => <Report site={site} done={done} />}
			isCheck={({ checkOnly }) => checkOnly}
			records={({ record, report }) => (report.checkOnly ? [] : [record])}
			findOut={() => t("unknown")}
			again={t("again")}
			failedImport={(problem, record) => <FailedImport site={site} problem={problem} record={record} />}
			repeats
		/>
	);
}

/** Failed import with its undo. After the undo, the failure no longer describes the portal. */
function FailedImport({ site, problem, record }: { site: SiteView; problem: Problem; record: RecordId }) {
	const undone = useUndo(site.id, "import_portal", record) !== null;
	return (
		<>
			{undone ? null : <ProblemNotice problem={problem} />}
			<FactList>
				<UndoPortalImport site={site} record={record} />
			</FactList>
		</>
	);
}

/** Why the import cannot be sent yet. */
type Missing = "needsFile" | "needsComparison" | "needsVersion" | "needsFolder" | "needsName";

interface FormProps {
	site: SiteView;
	session: SessionView;
	handle: OperationHandle<PortalImportReport, ImportPortalForm>;
}

function Form({ site, session, handle }: FormProps) {
	const { t } = useTranslation("importPortal");
	const common = useTranslation("common").t;
	const unkept = { confirmation: "", accountKey: "" };
	const form = useKeptForm(draftOf(site.id), { initialValues: empty, unkept });
	useFormFaults(handle.problem, form);
	const summary = usePortalChangeSummary(site.id);
	const { values } = form;
	const location = values.location.trim();
	// Debounced: the path is typed letter by letter.
	const [typed] = useDebouncedValue(location, 500);
	useSnapshotBeforeImport(site.id, typed !== "");
	const comparison = usePortalExportComparison(site.id, typed === "" ? null : typed);
	const isComparing = typed !== location || comparison.isFetching;
	const asksVersion = location !== "" && !isComparing && comparison.data?.exportVersion == null;
	const noCheck = unavailableParameter(session, "import_portal", "validate");
	const hasStore = unavailableParameter(session, "import_portal", "locationConfig") === null;
	const toType = toTypeForImport(site, null);
	const missing = ((): Missing | null => {
		if (location === "") return "needsFile";
		if (isComparing || summary.data === undefined) return "needsComparison";
		if (asksVersion && values.exportVersion.trim() === "") return "needsVersion";
		if (values.isSecured && values.safetyBackup.trim() === "") return "needsFolder";
		return confirms(values.confirmation, toType) ? null : "needsName";
	})();
	// The history does not contain the account key.
	const fill = (sent: readonly Parameter[]) =>
		form.setValues({ ...destinationIn(sent), location: parameterOf(sent, "location") });
	return (
		<SubmitForm
			onSubmit={form.onSubmit((filled) => {
				handle.start(request(filled, false), filled.reason);
				form.setValues({ ...unkept, reason: "", isSecured: true });
			})}
		>
			<Stack gap="lg">
				<PreviousValues site={site} operation="import_portal" onFill={fill} />
				<Step number={1} title={t("step.file")}>
					<KnownExports
						exports={summary.data?.exports ?? []}
						location={location}
						onChoose={(path) => form.setFieldValue("location", path)}
					/>
					<TextInput {...labelled(t, "location")} {...form.getInputProps("location")} />
					{asksVersion ? (
						<TextInput
							label={t("exportVersion")}
							description={t("exportVersionHint", { version: summary.data?.version ?? t("versionUnknown") })}
							maw={320}
							{...form.getInputProps("exportVersion")}
						/>
					) : null}
					{hasStore ? (
						<Foldable title={t("store")} wanted={values.kind !== "folder"}>
							<Stack>
								<Text c="dimmed">{t("storeHint")}</Text>
								<PortalDestination
									kind={values.kind}
									label={t("storeKind")}
									getInputProps={form.getInputProps}
									keyHint={t("accountKeyHint")}
								/>
							</Stack>
						</Foldable>
					) : null}
					<Group>
						<Button
							disabled={noCheck !== null || location === ""}
							onClick={() => handle.start({ ...request(values, true), safetyBackup: null })}
						>
							{t("check")}
						</Button>
						<Text c="dimmed">
							{noCheck ? t("noCheck", { why: unavailableText(common, noCheck) }) : t("checkedFirst")}
						</Text>
					</Group>
				</Step>
				<Step number={2} title={t("step.change")}>
					<ComparisonNotice query={comparison} />
					{summary.isPending ? <LoadingRows rows={3} height={20} /> : null}
					<ProblemNotice problem={summary.error} onRetry={() => void summary.refetch()} />
					{summary.data ? <Effects effects={summary.data.effects} /> : null}
				</Step>
				<Step number={3} title={t("step.preparation")}>
					<Checkbox {...labelled(t, "safetyBackup")} {...form.getInputProps("isSecured", { type: "checkbox" })} />
					{values.isSecured ? (
						<FolderField site={site} {...labelled(t, "folder")} {...form.getInputProps("safetyBackup")} />
					) : null}
				</Step>
				<Step number={4} title={t("question", { site: site.name })}>
					{values.isSecured ? null : <Text fw={600}>{t("noSafetyBackup")}</Text>}
					<ConfirmImport
						toType={toType}
						target={t("target", { site: site.name })}
						isReady={summary.data !== undefined}
						confirmation={values.confirmation}
						getInputProps={form.getInputProps}
					/>
				</Step>
				<RequestPreview site={site} form={{ operation: "import_portal", form: request(values, false) }} />
				<TokenExpiryCheck site={site} operation="import_portal" />
				<Group>
					<SubmitButton color="red" disabled={missing !== null}>
						{t("submit", { site: site.name })}
					</SubmitButton>
					{missing ? <Text c="dimmed">{t(missing)}</Text> : null}
				</Group>
			</Stack>
		</SubmitForm>
	);
}

interface KnownExportsProps {
	exports: readonly KnownPortalExport[];
	location: string;
	onChoose: (location: string) => void;
}

/** Exports in the history. Selecting one fills in its path. */
function KnownExports({ exports, location, onChoose }: KnownExportsProps) {
	const { t } = useTranslation("importPortal");
	if (exports.length === 0) return <Text>{t("noKnown")}</Text>;
	const labelOf = ({ location, at, items, size, version, isSafetyBackup }: KnownPortalExport) => {
		return dotted(
			fileName(location),
			formatTime(at),
			version === "" ? null : t("known.version", { version }),
			items === null ? null : t("known.items", { count: items, number: items }),
			size === null ? null : formatSize(size),
			isSafetyBackup ? t("known.safetyBackup") : null,
		);
	};
	// Exports can have the same path: the newer one replaced the other.
	const newest = exports.filter((one, at) => exports.findIndex(({ location }) => location === one.location) === at);
	return (
		<Select
			label={t("known.label")}
			description={t("known.hint")}
			placeholder={t("known.choose")}
			data={newest.map((one) => ({ value: one.location, label: labelOf(one) }))}
			value={newest.some((one) => one.location === location) ? location : null}
			onChange={(path) => path !== null && onChoose(path)}
		/>
	);
}

/** Values of the form. `kind` is where the content of the export is: `folder` if the file contains it. */
interface Values extends PortalDestinationValues {
	location: string;
	/** Version of the portal that wrote the file, if the history does not contain it. */
	exportVersion: string;
	/** Whether a safety backup is created first, and its folder. */
	isSecured: boolean;
	safetyBackup: string;
	confirmation: string;
	reason: string;
}

const empty: Values = {
	...noPortalStore,
	location: "",
	exportVersion: "",
	isSecured: true,
	safetyBackup: "",
	confirmation: "",
	reason: "",
};

function request(values: Values, checkOnly: boolean): ImportPortalForm {
	const { location, exportVersion, isSecured, safetyBackup, confirmation } = values;
	return {
		location: location.trim(),
		store: storeOf(values),
		exportVersion: exportVersion.trim() || null,
		safetyBackup: isSecured ? safetyBackup : null,
		confirmation: confirmation.trim(),
		checkOnly,
	};
}
