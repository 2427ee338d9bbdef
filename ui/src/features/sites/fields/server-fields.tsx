import {
	Badge,
	Button,
	Flex,
	Group,
	Paper,
	Radio,
	Select,
	type SelectProps,
	SimpleGrid,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ConnectionRoute, ServerForm, ServerType, SiteForm } from "@/bridge";
import { PathField, SecretInput } from "@/components/path-field";
import { Breakable, IconButton, Small } from "@/components/text";
import { labelled } from "@/lib/drafts";
import { usePreferences } from "@/lib/preferences";
import { emptyServer } from "@/lib/site-form";

interface ServerFieldsProps {
	form: UseFormReturnType<SiteForm>;
	/** Returns information about a server, for example how it was found. */
	about?: (server: ServerForm) => ReactNode;
	/** Text without servers, instead of the default. */
	none?: string | undefined;
}

export function ServerFields({ form, about, none }: ServerFieldsProps) {
	const { t } = useTranslation("sites");
	const { servers } = form.values;
	return (
		<Stack gap="sm">
			{servers.map((server, place) => {
				const name = server.name || t("servers.nth", { n: place + 1 });
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: new servers have no other identity, and a removed one takes its errors along
					<ServerBox key={`${server.id} ${place}`} name={name}>
						<OneServer form={form} place={place} name={name} about={about?.(server)} />
					</ServerBox>
				);
			})}
			{servers.length === 0 ? <Text c="dimmed">{none ?? t("servers.none")}</Text> : null}
			<Group>
				<IconButton
					label={t("servers.add")}
					icon={IconPlus}
					onClick={() => form.insertListItem("servers", emptyServer)}
				/>
			</Group>
		</Stack>
	);
}

function ServerBox({ name, children }: { name: string; children: ReactNode }) {
	const id = useId();
	return (
		<Paper withBorder p="sm" role="group" aria-labelledby={id}>
			<Stack gap="xs">
				<Text id={id} mod="anywhere">
					{name}
				</Text>
				{children}
			</Stack>
		</Paper>
	);
}

interface OneServerProps {
	form: UseFormReturnType<SiteForm>;
	place: number;
	/** Name of the server, or its number if it has none. */
	name: string;
	about: ReactNode;
}

function OneServer({ form, place, name, about }: OneServerProps) {
	const { t } = useTranslation("sites");
	const server = form.values.servers[place];
	if (!server) return null;
	return (
		<Stack gap="xs">
			<TextInput {...labelled(t, "form.server")} type="url" {...form.getInputProps(`servers.${place}.address`)} />
			{about}
			<TextInput {...labelled(t, "form.direct")} type="url" {...form.getInputProps(`servers.${place}.adminUrl`)} />
			<TextInput {...labelled(t, "form.public")} type="url" {...form.getInputProps(`servers.${place}.servicesUrl`)} />
			<SimpleGrid cols={2}>
				<TextInput label={t("form.serverName")} {...form.getInputProps(`servers.${place}.name`)} />
				<ServerKindSelect
					label={t("form.serverKind")}
					server={server}
					onKind={({ role, serverType }) => {
						form.setFieldValue(`servers.${place}.role`, role);
						form.setFieldValue(`servers.${place}.serverType`, serverType);
					}}
				/>
			</SimpleGrid>
			<Group justify="flex-end">
				<IconButton
					label={t("servers.remove")}
					variant="subtle"
					color="gray"
					icon={IconTrash}
					aria-label={t("servers.removeLabel", { server: name })}
					onClick={() => form.removeListItem("servers", place)}
				/>
			</Group>
		</Stack>
	);
}

interface PortalFieldsProps {
	form: UseFormReturnType<SiteForm>;
	/** Information about the portal, for example how it was found. */
	about?: ReactNode;
}

export function PortalFields({ form, about }: PortalFieldsProps) {
	const { t } = useTranslation("sites");
	return (
		<>
			<TextInput {...labelled(t, "form.portal")} type="url" {...form.getInputProps("portal")} />
			{about}
			<TextInput
				label={t("form.portalAdminUrl")}
				description={t("form.portalDirectHint")}
				type="url"
				{...form.getInputProps("portalAdminUrl")}
			/>
		</>
	);
}

/** Role and type of a server, shown as one value. */
type Kind = Pick<ServerForm, "role" | "serverType">;

const hosting = "HOSTING_SERVER";
const types: Exclude<ServerType["kind"], "other">[] = [
	"gis",
	"mission",
	"notebook",
	"video",
	"dataPipelines",
	"kubernetes",
];

interface ServerKindSelectProps extends Pick<SelectProps, "label" | "aria-label" | "size" | "disabled" | "w"> {
	server: Kind;
	onKind: (kind: Kind) => void;
}

export function ServerKindSelect({ server: { role, serverType }, onKind, ...rest }: ServerKindSelectProps) {
	const { t } = useTranslation("common");
	const other = serverType.kind === "other" ? [{ value: "other", label: serverType.name }] : [];
	const withoutHosting = role === hosting ? "" : role;
	return (
		<Select
			{...rest}
			data={[
				{ value: hosting, label: t("hostingServer") },
				...types.map((kind) => ({ value: kind, label: t(`serverKind.${kind}`) })),
				...other,
			]}
			value={role === hosting ? hosting : serverType.kind}
			onChange={(chosen) => {
				if (chosen === hosting) onKind({ role: hosting, serverType: { kind: "gis" } });
				const kind = types.find((one) => one === chosen);
				if (kind) onKind({ role: withoutHosting, serverType: { kind } });
				if (chosen === "other") onKind({ role: withoutHosting, serverType });
			}}
		/>
	);
}

/** Mark of a URL at another host than the URL that the user entered or reviewed first. */
export function OtherHost() {
	const { t } = useTranslation("sites");
	return (
		<Badge
			component="span"
			// Text in the color of the tone would have too little contrast.
			variant="default"
			style={{ flexShrink: 0, verticalAlign: "middle" }}
			leftSection={<IconAlertTriangle size={14} color="var(--tone-warnings)" aria-hidden />}
		>
			{t("profiles.differs")}
		</Badge>
	);
}

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
			<TextInput {...labelled(t, "connection.address")} {...form.getInputProps("connection.route.address")} />
			<SimpleGrid type="container" cols={{ base: 1, "20em": 2 }}>
				<TextInput
					{...labelled(t, "connection.user")}
					autoComplete="off"
					{...form.getInputProps("connection.route.user")}
				/>
				<Secret form={form} path="connection.proxyPassword" label={t("connection.password")} kept={kept} />
			</SimpleGrid>
			<TextInput
				{...labelled(t, "connection.exceptions")}
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
