import { Button, Flex, Group, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { ConnectionRoute, SiteForm } from "@/bridge";
import { PathField } from "@/components/path-field";
import { SecretInput } from "@/components/secret-input";
import { Breakable, Small } from "@/components/text";
import { usePreferences } from "@/lib/preferences";
import { labelled } from "@/lib/use-form-faults";

const emptyProxy: ConnectionRoute = { kind: "proxy", address: "", user: "", exceptions: [] };

export function ConnectionFields({ form }: { form: UseFormReturnType<SiteForm> }) {
	const { t } = useTranslation("sites");
	const { isLocked } = usePreferences();
	const { connection } = form.values;
	const isDecided = isLocked("route");
	const kept = form.values.id !== null;
	return (
		<Stack gap="md">
			<Radio.Group
				label={t("connection.route")}
				description={isDecided ? t("connection.routeLocked") : undefined}
				value={connection.route.kind}
				onChange={(kind) =>
					form.setFieldValue("connection.route", kind === "proxy" ? emptyProxy : ({ kind } as ConnectionRoute))
				}
			>
				<Flex mt="xs" gap={{ base: "xs", md: "md" }} direction={{ base: "column", md: "row" }}>
					{(["system", "direct", "proxy"] satisfies ConnectionRoute["kind"][]).map((kind) => (
						<Radio key={kind} value={kind} disabled={isDecided} label={t(`connection.${kind}`)} />
					))}
				</Flex>
			</Radio.Group>
			{connection.route.kind === "proxy" && !isDecided ? <ProxyFields form={form} kept={kept} /> : null}
			<PathField
				kind="file"
				label={t("form.caCertificate")}
				description={t("form.caHint")}
				chooseLabel={t("connection.chooseCa")}
				removeLabel={t("connection.removeCa")}
				{...form.getInputProps("connection.caCertificate")}
			/>
			<PathField
				kind="file"
				{...labelled(t, "connection.clientCertificate")}
				chooseLabel={t("connection.chooseClientCertificate")}
				removeLabel={t("connection.removeClientCertificate")}
				{...form.getInputProps("connection.clientCertificate")}
			/>
			{connection.clientCertificate.trim() ? (
				<Secret
					form={form}
					path="connection.clientCertificatePassword"
					label={t("connection.clientCertificatePassword")}
					kept={kept}
				/>
			) : null}
			{connection.trustedCertificates.length > 0 ? <Pins form={form} /> : null}
		</Stack>
	);
}

function ProxyFields({ form, kept }: { form: UseFormReturnType<SiteForm>; kept: boolean }) {
	const { t } = useTranslation("sites");
	const { route } = form.values.connection;
	if (route.kind !== "proxy") return null;
	return (
		<Stack gap="xs">
			<TextInput
				{...labelled(t, "connection.address")}
				spellCheck={false}
				{...form.getInputProps("connection.route.address")}
			/>
			<SimpleGrid type="container" cols={{ base: 1, "20em": 2 }}>
				<TextInput
					{...labelled(t, "connection.user")}
					autoComplete="off"
					spellCheck={false}
					{...form.getInputProps("connection.route.user")}
				/>
				<Secret form={form} path="connection.proxyPassword" label={t("connection.password")} kept={kept} />
			</SimpleGrid>
			<TextInput
				{...labelled(t, "connection.exceptions")}
				spellCheck={false}
				data-path="connection.route.exceptions"
				// The text stays as typed; the backend trims it.
				value={route.exceptions.join(",")}
				onChange={(event) => form.setFieldValue("connection.route.exceptions", event.currentTarget.value.split(","))}
			/>
		</Stack>
	);
}

interface SecretProps {
	form: UseFormReturnType<SiteForm>;
	path: "connection.proxyPassword" | "connection.clientCertificatePassword";
	label: string;
	kept: boolean;
}

/** Password for the keyring. An empty field keeps the stored one. */
function Secret({ form, path, label, kept }: SecretProps) {
	const { t } = useTranslation("sites");
	const { value, ...props } = form.getInputProps(path);
	return (
		<SecretInput
			label={label}
			description={kept ? t("connection.passwordKept") : t("connection.passwordHint")}
			autoComplete="off"
			{...props}
			value={value ?? ""}
			onChange={(event) => form.setFieldValue(path, event.currentTarget.value || null)}
		/>
	);
}

function Pins({ form }: { form: UseFormReturnType<SiteForm> }) {
	const { t } = useTranslation("sites");
	const { trustedCertificates: pins } = form.values.connection;
	return (
		<Stack gap="xs" role="group" aria-label={t("connection.pins")}>
			<Text fw={600}>{t("connection.pins")}</Text>
			{pins.map(({ origin, fingerprint }) => (
				<Group key={origin} justify="space-between" wrap="nowrap" gap="md">
					<Stack gap={0} miw={0}>
						<Text>{origin}</Text>
						<Small ff="monospace" mod="anywhere">
							<Breakable>{fingerprint}</Breakable>
						</Small>
					</Stack>
					<Button
						flex="none"
						aria-label={t("connection.forgetPinOf", { origin })}
						onClick={() =>
							form.setFieldValue(
								"connection.trustedCertificates",
								pins.filter((pin) => pin.origin !== origin),
							)
						}
					>
						{t("connection.removeCertificate")}
					</Button>
				</Group>
			))}
		</Stack>
	);
}
