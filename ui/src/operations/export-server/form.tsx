import { Group, Input, Paper, Stack, Text } from "@mantine/core";
import { IconFolder } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type ExportServerForm, type ServerExportReport, type SiteView, useBackend } from "@/bridge";
import { ChoiceField } from "@/components/choice";
import { ReasonField } from "@/components/dialog";
import { OperationScreen } from "@/components/operation-screen";
import { FolderField } from "@/components/path-field";
import { PreviousValues } from "@/components/previous-values";
import { RequestPreview, TokenExpiryCheck } from "@/components/request-preview";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { Small } from "@/components/text";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { formatSize } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";
import { useSuggestedExport } from "@/lib/queries/history";
import { type OperationHandle, useOperation } from "@/lib/runs";
import { serverNameOf, serverOf, targetKey, useTargetNameOf } from "@/lib/target";
import { useKeptForm } from "@/lib/use-kept-form";
import { ExcludedItems, Report } from "./report";

interface Values {
	kind: "thisComputer" | "serverFolder";
	location: string;
	reason: string;
}

const draftOf = draftKey<Values>();

const empty: Values = { kind: "thisComputer", location: "", reason: "" };

export function ExportServer({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	const backend = useBackend();
	const handle = useOperation("export_server", site, (run, form: ExportServerForm) =>
		backend.exportServer(serverOf(site), run, form),
	);
	return (
		<OperationScreen
			operation="export_server"
			site={site}
			handle={handle}
			form={<Form site={site} handle={handle} />}
			report={(done) => <Report site={site} done={done} />}
			findOut={({ place }) =>
				place.kind === "serverFolder" ? t("unknownFolder", { location: place.location }) : t("unknownStored")
			}
			again={t("again")}
			repeats
		/>
	);
}

function Form({ site, handle }: { site: SiteView; handle: OperationHandle<ServerExportReport, ExportServerForm> }) {
	const { t } = useTranslation("exportServer");
	const form = useKeptForm(draftOf(targetKey(serverOf(site))), { initialValues: empty });
	useFormFaults(handle.problem, form);
	const { kind } = form.values;
	const target = useTargetNameOf("export_server", site);
	const isOneOfSeveral = serverNameOf("export_server", site) !== null;
	const onServer = kind === "serverFolder";
	return (
		<SubmitForm
			onSubmit={form.onSubmit((values) => {
				handle.start(request(values), values.reason);
				form.setFieldValue("reason", "");
			})}
		>
			<Stack>
				<PreviousValues
					site={site}
					operation="export_server"
					onFill={(sent) => {
						const sentTo = parameterOf(sent, "location");
						form.setValues({ kind: sentTo === "" ? "thisComputer" : "serverFolder", location: sentTo });
					}}
				/>
				<ChoiceField
					label={t("destination")}
					data={(["thisComputer", "serverFolder"] as const).map((value) => ({ value, label: t(value) }))}
					{...form.getInputProps("kind")}
				/>
				{onServer ? (
					<FolderField site={site} {...labelled(t, "location")} {...form.getInputProps("location")} />
				) : (
					<>
						<Text c="dimmed">{t("thisComputerHint")}</Text>
						<FileCard site={site} />
					</>
				)}
				<ReasonField {...form.getInputProps("reason")} />
				<ExcludedItems site={site} />
				<RequestPreview site={site} form={{ operation: "export_server", form: request(form.values) }} />
				<TokenExpiryCheck site={site} operation="export_server" />
				<Group>
					<SubmitButton>
						{t(`${onServer ? "submit" : "submitHere"}${isOneOfSeveral ? "On" : ""}`, { site: target })}
					</SubmitButton>
				</Group>
			</Stack>
		</SubmitForm>
	);
}

function request({ kind, location }: Values): ExportServerForm {
	return { place: kind === "serverFolder" ? { kind, location } : { kind } };
}

/** Suggested file of an export to this computer, with the size of the last one if it is known. */
function FileCard({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	const id = useId();
	const { data } = useSuggestedExport(serverOf(site));
	if (!data) return null;
	const { name, lastSize } = data;
	return (
		<Input.Wrapper label={t("fileCard.label")} labelElement="div" labelProps={{ id }}>
			<Paper withBorder px="sm" py="xs" mt={5} role="group" aria-labelledby={id}>
				<Group gap="sm" wrap="nowrap">
					<IconFolder size={18} stroke={1.5} aria-hidden />
					<Stack gap={0} miw={0}>
						<Text mod="anywhere">{name}</Text>
						<Small>
							{lastSize === null ? t("fileCard.hint") : t("fileCard.hintSize", { size: formatSize(lastSize) })}
						</Small>
					</Stack>
				</Group>
			</Paper>
		</Input.Wrapper>
	);
}
