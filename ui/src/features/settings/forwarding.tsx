import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ForwardingFault, type ForwardingView, type LogServer, useBackend } from "@/bridge";
import { Notice, ProblemNotice } from "@/components/notice";
import { Card } from "@/components/page";
import { PathField, SecretInput } from "@/components/path-field";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { Small } from "@/components/text";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { formatDateTime, formatList } from "@/lib/format";
import { usePreferences } from "@/lib/preferences";
import { queryKeys } from "@/lib/queries/keys";
import { useForwarding } from "@/lib/queries/program";
import { useStale } from "@/lib/use-command";
import { useKeptForm } from "@/lib/use-kept-form";
import { useLocked } from "./use-locked";

const typed = draftKey<Values>();

interface Values {
	isOn: boolean;
	host: string;
	/** A string while the field is empty. */
	port: number | string;
	caCertificate: string;
	clientCertificate: string;
	password: string;
}

/** Field names of the backend that differ in this form. */
const fields: Readonly<Record<string, keyof Values>> = {
	"connection.caCertificate": "caCertificate",
	"connection.clientCertificate": "clientCertificate",
	"connection.clientCertificatePassword": "password",
};

const fieldOf = (field: string) => fields[field] ?? field;

function valuesOf({ host, ...others }: LogServer): Values {
	return { ...others, host, isOn: host !== "", password: "" };
}

/** Returns the log server in the form. While forwarding is off, its host is empty. */
function logServerOf({ isOn, host, port, caCertificate, clientCertificate }: Values): LogServer {
	return { host: isOn ? host : "", port: Number(port) || 0, caCertificate, clientCertificate };
}

/** Log server of the audit trail, and the state of forwarding. */
export function Forwarding() {
	const { t } = useTranslation("forwarding");
	const state = useForwarding();
	return (
		<Card title={t("title")} hint={t("hint")}>
			<ProblemNotice problem={state.error} />
			{state.data ? <Content view={state.data} /> : null}
		</Card>
	);
}

function Content({ view }: { view: ForwardingView }) {
	const { t } = useTranslation("forwarding");
	if (view.rule === "forbidden") return <Text>{t("forbidden")}</Text>;
	return (
		<>
			{view.rule === "required" && view.logServer.host === "" ? (
				<Notice tone="warnings" title={t("requiredOff")} />
			) : null}
			<State view={view} />
			<Settings view={view} />
		</>
	);
}

function State({ view: { logServer, last, waiting, failing } }: { view: ForwardingView }) {
	const { t } = useTranslation("forwarding");
	if (logServer.host === "") return null;
	return (
		<Stack gap="xs">
			<Text>
				{last === null ? t("none") : t("last", { entry: last.entry, at: formatDateTime(last.at) })}
				{waiting > 0 ? ` ${t("waiting", { count: waiting })}` : null}
			</Text>
			{failing === null ? null : (
				<Fault fault={failing.fault}>
					<Text>{t("since", { at: formatDateTime(failing.since) })}</Text>
				</Fault>
			)}
		</Stack>
	);
}

function Fault({ fault, children }: { fault: ForwardingFault; children?: ReactNode }) {
	const { t } = useTranslation("forwarding");
	return (
		<Notice tone="warnings" title={t(`fault.${fault.kind}.title`)}>
			<Text>{t(`fault.${fault.kind}.do`)}</Text>
			{children}
			{"said" in fault ? <Small mod="anywhere">{fault.said}</Small> : null}
		</Notice>
	);
}

function Settings({ view }: { view: ForwardingView }) {
	const { t } = useTranslation("forwarding");
	const backend = useBackend();
	const queries = useQueryClient();
	const stale = useStale();
	const { isLocked } = usePreferences();
	const locked = useLocked();
	const stored = valuesOf(view.logServer);
	const form = useKeptForm(typed("log server"), { initialValues: stored, unkept: { password: "" } });
	const passwordOf = ({ password }: Values) => (password === "" ? null : password);
	const save = useMutation({
		mutationFn: (values: Values) => backend.saveLogServer(logServerOf(values), passwordOf(values)),
		onSuccess: (now) => {
			queries.setQueryData(queryKeys.forwarding, now);
			form.setValues(valuesOf(now.logServer));
			form.forget();
			void stale("saveLogServer");
		},
	});
	const test = useMutation({
		mutationFn: (values: Values) => backend.testLogServer(logServerOf(values), passwordOf(values)),
	});
	const failed = save.error ?? test.error;
	const problem = useFormFaults(failed, form, fieldOf);
	const isChanged = JSON.stringify(form.values) !== JSON.stringify(stored);
	const isFixed = isLocked("logServer");
	const isRequired = view.rule === "required" && view.logServer.host !== "";
	const reset = () => {
		save.reset();
		test.reset();
	};
	return (
		<SubmitForm
			onSubmit={form.onSubmit((values) => {
				reset();
				save.mutate(values);
			})}
		>
			<Stack gap="md">
				{/* Saving can wait a minute for the keyring; input during that time would not be saved. */}
				<Fieldset variant="unstyled" disabled={save.isPending} m={0} p={0}>
					<Stack gap="md">
						<Switch
							label={t("isOn")}
							{...locked.describe("logServer", isRequired ? t("required") : undefined)}
							disabled={isFixed || isRequired}
							{...form.getInputProps("isOn", { type: "checkbox" })}
						/>
						{form.values.isOn ? (
							<>
								<SimpleGrid type="container" cols={{ base: 1, "20em": 2 }}>
									<TextInput
										label={t("host")}
										description={view.hosts ? t("hosts", { hosts: formatList(view.hosts) }) : t("hostHint")}
										{...locked.part("logServer")}
										{...form.getInputProps("host")}
									/>
									<NumberInput
										label={t("port")}
										inputWrapperOrder={["label", "input", "description", "error"]}
										min={1}
										max={65_535}
										hideControls
										{...locked.part("logServer")}
										{...form.getInputProps("port")}
									/>
								</SimpleGrid>
								<PathField
									kind="file"
									label={t("caCertificate")}
									description={t("caHint")}
									chooseLabel={t("chooseCa")}
									removeLabel={t("removeCa")}
									{...locked.part("logServer")}
									{...form.getInputProps("caCertificate")}
								/>
								<PathField
									kind="file"
									label={t("clientCertificate")}
									description={t("clientHint")}
									chooseLabel={t("chooseClient")}
									removeLabel={t("removeClient")}
									{...locked.part("logServer")}
									{...form.getInputProps("clientCertificate")}
								/>
								{form.values.clientCertificate === "" || isFixed ? null : (
									<SecretInput {...labelled(t, "password")} autoComplete="off" {...form.getInputProps("password")} />
								)}
							</>
						) : null}
					</Stack>
				</Fieldset>
				<ProblemNotice problem={problem} />
				{test.data ? <Fault fault={test.data} /> : null}
				<Group>
					<SubmitButton loading={save.isPending} disabled={!isChanged || isFixed}>
						{t("save")}
					</SubmitButton>
					{form.values.isOn ? (
						<Button
							loading={test.isPending}
							onClick={() => {
								reset();
								test.mutate(form.values);
							}}
						>
							{t("test")}
						</Button>
					) : null}
					<Text c="dimmed" role="status">
						{save.isSuccess && !isChanged ? t(form.values.isOn ? "saved" : "savedOff") : null}
						{test.data === null ? t("tested") : null}
					</Text>
				</Group>
			</Stack>
		</SubmitForm>
	);
}
