import {
	Badge,
	Button,
	Group,
	Paper,
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
import type { ServerForm, ServerType, SiteForm } from "@/bridge";
import { emptyServer } from "@/lib/site-form";
import { labelled } from "@/lib/use-form-faults";

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
				<Button
					leftSection={<IconPlus size={14} aria-hidden />}
					onClick={() => form.insertListItem("servers", emptyServer)}
				>
					{t("servers.add")}
				</Button>
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
	const address = { type: "url", spellCheck: false };
	return (
		<Stack gap="xs">
			<TextInput {...labelled(t, "form.server")} {...address} {...form.getInputProps(`servers.${place}.address`)} />
			{about}
			<TextInput {...labelled(t, "form.direct")} {...address} {...form.getInputProps(`servers.${place}.adminUrl`)} />
			<TextInput {...labelled(t, "form.public")} {...address} {...form.getInputProps(`servers.${place}.servicesUrl`)} />
			<SimpleGrid cols={2}>
				<TextInput label={t("form.serverName")} spellCheck={false} {...form.getInputProps(`servers.${place}.name`)} />
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
				<Button
					variant="subtle"
					color="gray"
					leftSection={<IconTrash size={14} aria-hidden />}
					aria-label={t("servers.removeLabel", { server: name })}
					onClick={() => form.removeListItem("servers", place)}
				>
					{t("servers.remove")}
				</Button>
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
			<TextInput {...labelled(t, "form.portal")} type="url" spellCheck={false} {...form.getInputProps("portal")} />
			{about}
			<TextInput
				label={t("form.portalAdminUrl")}
				description={t("form.portalDirectHint")}
				type="url"
				spellCheck={false}
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
			allowDeselect={false}
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

/** Marks a URL on another host than the one that the user knows. */
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
