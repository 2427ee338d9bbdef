import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
	type ExportPortalForm,
	type Parameter,
	type PortalExportReport,
	type SessionView,
	type SiteView,
	useBackend,
} from "@/bridge";
import { ReasonField } from "@/components/dialog";
import { OperationScreen } from "@/components/operation-screen";
import { FolderField } from "@/components/path-field";
import { PortalDestination } from "@/components/portal-destination";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview, TokenExpiryCheck } from "@/components/request-preview";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { draftKey, useFormFaults } from "@/lib/drafts";
import { type OperationHandle, useOperation } from "@/lib/runs";
import { useKeptForm } from "@/lib/use-kept-form";
import { unavailableParameter, unavailableText } from "@/lib/use-read-only";
import { empty, folderOf, Report, request, type Values, valuesOf, withoutKey } from "./report";

const draftOf = draftKey<Values>();

export function ExportPortal({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation("exportPortal");
	const backend = useBackend();
	const handle = useOperation(
		"export_portal",
		site,
		(run, form: ExportPortalForm) => backend.exportPortal(site.id, run, form),
		withoutKey,
	);
	// The account key must be entered again.
	const exportNow = (form: ExportPortalForm) => (form.target.kind === "blob" ? handle.reset() : handle.start(form));
	return (
		<OperationScreen
			operation="export_portal"
			site={site}
			handle={handle}
			form={<Form site={site} session={session} handle={handle} />}
			report={(done) => <Report site={site} done={done} exportNow={exportNow} />}
			isCheck={(form) => form.checkOnly}
			records={({ record, report }) => ("location" in report.outcome ? [record] : [])}
			findOut={(form) =>
				form.target.kind === "portal" ? t("unknownPortal") : t("unknown", { location: folderOf(form) })
			}
			again={t("again")}
			repeats
		/>
	);
}

interface FormProps {
	site: SiteView;
	session: SessionView;
	handle: OperationHandle<PortalExportReport, ExportPortalForm>;
}

function Form({ site, session, handle }: FormProps) {
	const { t } = useTranslation("exportPortal");
	const common = useTranslation("common").t;
	const form = useKeptForm(draftOf(site.id), { initialValues: empty, unkept: { accountKey: "" } });
	useFormFaults(handle.problem, form);
	const { kind } = form.values;
	const noCheck = unavailableParameter(session, "export_portal", "validate");
	const hasOwn = unavailableParameter(session, "export_portal", "noLocation") === null;
	const inPortal = kind === "portal";
	const fill = (sent: readonly Parameter[]) => {
		const values = valuesOf(sent);
		form.setValues(values);
		form.clearErrors();
		if (values.kind === "blob") form.setFieldError("accountKey", t("accountKeyAgain"));
	};
	return (
		<SubmitForm
			onSubmit={form.onSubmit((values) => {
				handle.start(request(values, false), values.reason);
				form.setValues({ reason: "", accountKey: "" });
			})}
		>
			<Stack>
				<PreviousValues site={site} operation="export_portal" onFill={fill} />
				<PortalDestination
					kind={kind}
					further={hasOwn ? { value: "portal", label: t("portal") } : null}
					getInputProps={form.getInputProps}
					keyHint={t("accountKeyHint")}
				/>
				{inPortal ? (
					<Text c="dimmed">{t("portalHint")}</Text>
				) : (
					<FolderField
						site={site}
						label={t(kind === "folder" ? "location" : "pointer")}
						description={t(kind === "folder" ? "locationHint" : "pointerHint")}
						{...form.getInputProps("location")}
					/>
				)}
				<ReasonField {...form.getInputProps("reason")} />
				<RequestPreview site={site} form={{ operation: "export_portal", form: request(form.values, false) }} />
				<TokenExpiryCheck site={site} operation="export_portal" />
				<Group>
					<SubmitButton>{t("submit")}</SubmitButton>
					<Button disabled={noCheck !== null || inPortal} onClick={() => handle.start(request(form.values, true))}>
						{t("check")}
					</Button>
					<Text c="dimmed">
						{inPortal
							? t("noCheckPortal")
							: noCheck
								? t("noCheck", { why: unavailableText(common, noCheck) })
								: t("checkedFirst")}
					</Text>
				</Group>
			</Stack>
		</SubmitForm>
	);
}
