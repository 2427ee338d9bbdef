import { Button, Group, Input, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import {
	type ExportPortalForm,
	type Parameter,
	type PortalExportReport,
	type SessionView,
	type SiteView,
	useBackend,
} from "@/bridge";
import choice from "@/components/choice.module.css";
import { FolderField } from "@/components/folder-field";
import { OperationScreen } from "@/components/operation-screen";
import { PreviousValues } from "@/components/previous-values";
import { ReasonField } from "@/components/reason-field";
import { RequestPreview } from "@/components/request-preview";
import { SecretInput } from "@/components/secret-input";
import { SubmitButton } from "@/components/submit-button";
import { SubmitForm } from "@/components/submit-form";
import { TokenExpiryCheck } from "@/components/token-expiry-warning";
import { draftKey, useDraft } from "@/lib/drafts";
import { unavailableParameter } from "@/lib/unavailable-parameter";
import { unavailableText } from "@/lib/unavailable-text";
import { useFormFaults } from "@/lib/use-form-faults";
import { type OperationHandle, useOperation } from "@/lib/use-operation";
import { Report } from "./report";
import { empty, request, type Values, valuesOf } from "./values";

const draftOf = draftKey<Values>();

export function ExportPortal({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation("exportPortal");
	const backend = useBackend();
	const handle = useOperation("export_portal", site, (run, form: ExportPortalForm) =>
		backend.exportPortal(site.id, run, form),
	);
	return (
		<OperationScreen
			operation="export_portal"
			site={site}
			handle={handle}
			form={<Form site={site} session={session} handle={handle} />}
			report={(done) => <Report site={site} done={done} exportNow={handle.start} />}
			isCheck={(form) => form.checkOnly}
			records={({ record, report }) => ("location" in report.outcome ? [record] : [])}
			findOut={(form) => t("unknown", { location: form.target.location })}
			again={t("again")}
			repeats
		/>
	);
}

/** Two fields in a line where both have room. */
const pair = { type: "container", cols: { base: 1, "20em": 2 } } as const;

interface FormProps {
	site: SiteView;
	session: SessionView;
	handle: OperationHandle<PortalExportReport, ExportPortalForm>;
}

function Form({ site, session, handle }: FormProps) {
	const { t } = useTranslation("exportPortal");
	const common = useTranslation("common").t;
	const draft = useDraft(draftOf(site.id));
	const form = useForm<Values>({ initialValues: draft.kept ?? empty, onValuesChange: draft.keep });
	useFormFaults(handle.problem, form);
	const targetId = useId();
	const { kind } = form.values;
	const noCheck = unavailableParameter(session, "export_portal", "validate");
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
				form.setFieldValue("reason", "");
			})}
		>
			<Stack>
				<PreviousValues site={site} operation="export_portal" onFill={fill} />
				<Input.Wrapper label={t("target")} labelElement="div" labelProps={{ id: targetId }}>
					<SegmentedControl
						fullWidth
						classNames={{ root: choice.root ?? "", control: choice.control ?? "", label: choice.label ?? "" }}
						mt={5}
						aria-labelledby={targetId}
						data={(["folder", "bucket", "blob"] as const).map((value) => ({ value, label: t(value) }))}
						{...form.getInputProps("kind")}
					/>
				</Input.Wrapper>
				{kind === "bucket" ? (
					<SimpleGrid {...pair}>
						<TextInput label={t("bucketName")} spellCheck={false} {...form.getInputProps("bucket")} />
						<TextInput label={t("region")} spellCheck={false} {...form.getInputProps("region")} />
					</SimpleGrid>
				) : null}
				{kind === "blob" ? (
					<>
						<TextInput
							label={t("container")}
							description={t("containerHint")}
							spellCheck={false}
							{...form.getInputProps("container")}
						/>
						<TextInput label={t("accountEndpoint")} spellCheck={false} {...form.getInputProps("accountEndpoint")} />
						<SimpleGrid {...pair}>
							<TextInput label={t("accountName")} spellCheck={false} {...form.getInputProps("accountName")} />
							<SecretInput
								label={t("accountKey")}
								description={t("accountKeyHint")}
								inputWrapperOrder={["label", "input", "description", "error"]}
								{...form.getInputProps("accountKey")}
							/>
						</SimpleGrid>
					</>
				) : null}
				<FolderField
					site={site}
					onFolder={(folder) => form.setFieldValue("location", folder)}
					label={t(kind === "folder" ? "location" : "pointer")}
					description={t(kind === "folder" ? "locationHint" : "pointerHint")}
					{...form.getInputProps("location")}
				/>
				<ReasonField {...form.getInputProps("reason")} />
				<RequestPreview site={site} form={{ operation: "export_portal", form: request(form.values, false) }} />
				<TokenExpiryCheck site={site} operation="export_portal" />
				<Group>
					<SubmitButton>{t("submit")}</SubmitButton>
					<Button disabled={noCheck !== null} onClick={() => handle.start(request(form.values, true))}>
						{t("check")}
					</Button>
					<Text c="dimmed">
						{noCheck ? t("noCheck", { why: unavailableText(common, noCheck) }) : t("checkedFirst")}
					</Text>
				</Group>
			</Stack>
		</SubmitForm>
	);
}
