import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ServerForm, SiteForm } from "@/bridge";
import { emptyServer } from "@/lib/site-form";
import { ServerKindSelect } from "./server-kind-select";

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
			<TextInput
				label={t("form.server")}
				description={t("form.serverHint")}
				{...address}
				{...form.getInputProps(`servers.${place}.address`)}
			/>
			{about}
			<TextInput
				label={t("form.direct")}
				description={t("form.directHint")}
				{...address}
				{...form.getInputProps(`servers.${place}.adminUrl`)}
			/>
			<TextInput
				label={t("form.public")}
				description={t("form.publicHint")}
				{...address}
				{...form.getInputProps(`servers.${place}.servicesUrl`)}
			/>
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
