import { Fieldset, Flex, Group, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConnectionRoute, Preferences } from "@/bridge";
import { ProblemNotice } from "@/components/notice";
import { Card } from "@/components/page";
import { PathField, SecretInput } from "@/components/path-field";
import { SubmitButton, SubmitForm } from "@/components/submit-form";
import { draftKey, labelled, useFormFaults } from "@/lib/drafts";
import { type ConnectionSave, usePreferences } from "@/lib/preferences";
import { useKeptForm } from "@/lib/use-kept-form";
import { useLocked } from "./use-locked";

const kinds = ["system", "direct", "proxy"] as const satisfies readonly ConnectionRoute["kind"][];

const typed = draftKey<Values>();

interface Values {
	kind: ConnectionRoute["kind"];
	address: string;
	user: string;
	password: string;
	exceptions: string;
	caCertificate: string;
}

function valuesOf({ route, caCertificate }: Preferences["connection"]): Values {
	const proxy = route.kind === "proxy" ? route : { address: "", user: "", exceptions: [] };
	const { address, user } = proxy;
	return { kind: route.kind, address, user, password: "", exceptions: proxy.exceptions.join(", "), caCertificate };
}

/** Field names of the backend that differ in this form. */
const fields: Readonly<Record<string, keyof Values>> = {
	"connection.route.address": "address",
	"connection.caCertificate": "caCertificate",
};

const fieldOf = (field: string) => fields[field] ?? field;

/** Connection of all sites without one of their own. Saved as a whole, because a part of it would not work. */
export function Connection() {
	const { t } = useTranslation();
	const { preferences, connectionSave, saveConnection, isLocked } = usePreferences();
	const locked = useLocked();
	const isPending = connectionSave.kind === "pending";
	// Only a save that ran during this visit resets the form and is confirmed.
	const [waited, setWaited] = useState(isPending);
	const stored = valuesOf(preferences.connection);
	// After the user returns, the form shows what is being saved, or what could not be saved.
	const asked = "connection" in connectionSave ? valuesOf(connectionSave.connection) : stored;
	const form = useKeptForm(typed("connection"), { initialValues: asked, unkept: { password: "" } });
	const isChanged = JSON.stringify(form.values) !== JSON.stringify(stored);
	const resetAfterSave = useEffectEvent((save: ConnectionSave) => {
		if (save.kind !== "saved" || !waited) return;
		form.setValues(stored);
		form.forget();
	});
	useEffect(() => resetAfterSave(connectionSave), [connectionSave]);
	const submit = ({ kind, address, user, password, exceptions, caCertificate }: Values) => {
		const hosts = exceptions.split(",").map((host) => host.trim());
		const route: ConnectionRoute =
			kind === "proxy" ? { kind, address, user, exceptions: hosts.filter((host) => host !== "") } : { kind };
		setWaited(true);
		form.forget();
		saveConnection({ route, caCertificate }, password === "" ? null : password);
	};
	const failed = connectionSave.kind === "failed" ? connectionSave.problem : null;
	const problem = useFormFaults(failed, form, fieldOf);
	return (
		<Card title={t("settings.connection")} hint={isLocked("route") ? "" : t("settings.connectionHint")}>
			<SubmitForm onSubmit={form.onSubmit(submit)}>
				<Stack gap="md">
					{/* Saving can wait a minute for the keyring; input during that time would not be saved. */}
					<Fieldset variant="unstyled" disabled={isPending} m={0} p={0}>
						<Stack gap="md">
							<Radio.Group label={t("settings.route")} {...locked.describe("route")} {...form.getInputProps("kind")}>
								<Flex mt="xs" gap={{ base: "xs", md: "md" }} direction={{ base: "column", md: "row" }}>
									{kinds.map((kind) => (
										<Radio key={kind} value={kind} disabled={isLocked("route")} label={t(`settings.routes.${kind}`)} />
									))}
								</Flex>
							</Radio.Group>
							{form.values.kind === "proxy" ? (
								<>
									<TextInput
										{...labelled(t, "settings.proxyAddress")}
										{...locked.part("route")}
										{...form.getInputProps("address")}
									/>
									<SimpleGrid type="container" cols={{ base: 1, "20em": 2 }}>
										<TextInput
											label={t("settings.proxyUser")}
											autoComplete="off"
											{...locked.part("route")}
											{...form.getInputProps("user")}
										/>
										<SecretInput
											label={t("settings.proxyPassword")}
											description={t(
												stored.kind === "proxy" ? "settings.proxyPasswordKept" : "settings.proxyPasswordHint",
											)}
											inputWrapperOrder={["label", "input", "description", "error"]}
											autoComplete="off"
											{...form.getInputProps("password")}
										/>
									</SimpleGrid>
									<TextInput
										{...labelled(t, "settings.proxyExceptions")}
										{...locked.part("route")}
										{...form.getInputProps("exceptions")}
									/>
								</>
							) : null}
							<PathField
								kind="file"
								label={t("settings.caCertificate")}
								chooseLabel={t("settings.chooseCa")}
								removeLabel={t("settings.removeCa")}
								{...locked.field("caCertificate", t("settings.caCertificateHint"))}
								{...form.getInputProps("caCertificate")}
							/>
						</Stack>
					</Fieldset>
					<ProblemNotice problem={problem} />
					<Group>
						<SubmitButton loading={isPending} disabled={!isChanged}>
							{t("settings.saveConnection")}
						</SubmitButton>
						<Text c="dimmed" role="status">
							{waited && connectionSave.kind === "saved" && !isChanged ? t("settings.connectionSaved") : null}
						</Text>
					</Group>
				</Stack>
			</SubmitForm>
		</Card>
	);
}
