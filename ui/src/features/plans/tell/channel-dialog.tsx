import { NumberInput, Select, SimpleGrid, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type {
	AlertChannel,
	AlertsView,
	ChannelEncryption,
	ChannelForm,
	ChannelId,
	ChannelKind,
	ChannelMeans,
	HeartbeatProtocol,
} from "@/bridge";
import { DialogForm, DialogFrame } from "@/components/dialog";
import { ProblemNotice } from "@/components/notice";
import { SecretInput } from "@/components/path-field";
import { labelled, useFormFaults } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import { queryKeys } from "@/lib/queries/keys";
import { useCommand } from "@/lib/use-command";

interface ChannelDialogProps {
	opened: boolean;
	onClose: () => void;
	view: AlertsView;
	/** `null` for a new channel. */
	channel: AlertChannel | null;
	onSaved: (id: ChannelId) => void;
}

/** Form of a new or saved channel. Its secrets are stored and never shown again. */
export function ChannelDialog(props: ChannelDialogProps) {
	const { t } = useTranslation("alerts");
	const { opened, onClose, channel } = props;
	return (
		<DialogFrame opened={opened} onClose={onClose} title={t(channel === null ? "dialog.add" : "dialog.edit")} size="lg">
			<Form key={channel?.id ?? "new"} {...props} />
		</DialogFrame>
	);
}

function Form({ onClose, view, channel, onSaved }: ChannelDialogProps) {
	const { t } = useTranslation("alerts");
	const kinds = view.allowed.filter((kind) => kind !== "desktop");
	const first = valuesOf(channel, kinds[0] ?? "webhook");
	const form = useForm<Values>({ name: "channel", initialValues: first });
	const { kind, protocol, encryption } = form.values;
	const isStored = channel?.means.kind === kind;
	const save = useCommand(
		(backend, values: Values) => backend.saveAlertChannel(typedForm(channel?.id ?? null, values)),
		["saveAlertChannel"],
		{
			answers: queryKeys.alerts,
			onDone: ({ channels }) => {
				const added = channels.find(({ channel: { id } }) => view.channels.every((one) => one.channel.id !== id));
				const id = channel?.id ?? added?.channel.id;
				if (id !== undefined) onSaved(id);
				onClose();
			},
		},
	);
	const problem = useFormFaults(save.error, form);
	const hosts = view.hosts ? t("dialog.hosts", { hosts: formatList(view.hosts) }) : undefined;
	return (
		<DialogForm
			onClose={onClose}
			confirm={t("dialog.save")}
			busy={save.isPending}
			onConfirm={() => {
				save.reset();
				form.clearErrors();
				save.mutate(form.values);
			}}
		>
			<TextInput {...labelled(t, "dialog.name")} data-autofocus {...form.getInputProps("name")} />
			<Select
				label={t("dialog.kind")}
				data={kinds.map((one) => ({ value: one, label: t(`kind.${one}`) }))}
				{...form.getInputProps("kind")}
			/>
			{kind === "heartbeat" ? (
				<Select
					label={t("dialog.protocol")}
					description={t(`dialog.protocolHint.${protocol}`)}
					data={(["healthchecks", "successOnly"] as const).map((one) => ({
						value: one,
						label: t(`dialog.protocols.${one}`),
					}))}
					{...form.getInputProps("protocol")}
				/>
			) : null}
			{kind === "mail" ? (
				<>
					<SimpleGrid type="container" cols={{ base: 1, "24em": 3 }}>
						<TextInput label={t("dialog.host")} description={hosts} {...form.getInputProps("host")} />
						<Select
							label={t("dialog.encryption")}
							data={(["startTls", "tls", "none"] as const).map((one) => ({
								value: one,
								label: t(`dialog.encryptions.${one}`),
							}))}
							{...form.getInputProps("encryption")}
							onChange={(chosen) => {
								const now = (chosen ?? encryption) as Values["encryption"];
								// Keeps a port that the user entered.
								if (form.values.port === usualPort[encryption]) form.setFieldValue("port", usualPort[now]);
								form.setFieldValue("encryption", now);
							}}
						/>
						<NumberInput label={t("dialog.port")} min={1} max={65_535} hideControls {...form.getInputProps("port")} />
					</SimpleGrid>
					<TextInput {...labelled(t, "dialog.user")} autoComplete="off" {...form.getInputProps("user")} />
					<SecretInput {...labelled(t, "dialog.password")} autoComplete="off" {...form.getInputProps("password")} />
					<TextInput label={t("dialog.from")} {...form.getInputProps("from")} />
					<TextInput {...labelled(t, "dialog.receivers")} {...form.getInputProps("to")} />
				</>
			) : (
				<SecretInput
					label={t(`dialog.address.${kind}`)}
					description={[isStored ? t("dialog.addressKept") : t(`dialog.addressHint.${kind}`), hosts]
						.filter((text) => text !== undefined)
						.join(" ")}
					autoComplete="off"
					{...form.getInputProps("address")}
				/>
			)}
			{kind === "webhook" ? (
				<SecretInput
					label={t("dialog.key")}
					description={t(isStored ? "dialog.keyStored" : "dialog.keyHint")}
					autoComplete="off"
					{...form.getInputProps("password")}
				/>
			) : null}
			{kind === "heartbeat" ? null : (
				<Switch {...labelled(t, "dialog.allWell")} {...form.getInputProps("tellsAllWell", { type: "checkbox" })} />
			)}
			<ProblemNotice problem={problem} />
		</DialogForm>
	);
}

/** Values of the form. Stored secrets are not shown; an empty field keeps them. */
interface Values {
	name: string;
	kind: Exclude<ChannelKind, "desktop">;
	address: string;
	protocol: HeartbeatProtocol;
	host: string;
	/** A string while the field is empty. */
	port: number | string;
	encryption: ChannelEncryption;
	user: string;
	password: string;
	from: string;
	to: string;
	tellsAllWell: boolean;
}

/** Default port of mail servers for each encryption. */
const usualPort: Readonly<Record<ChannelEncryption, number>> = { tls: 465, startTls: 587, none: 25 };

function valuesOf(channel: AlertChannel | null, kind: Values["kind"]): Values {
	const values: Values = {
		name: channel?.name ?? "",
		kind: channel?.means.kind ?? kind,
		address: "",
		protocol: "healthchecks",
		host: "",
		port: usualPort.startTls,
		encryption: "startTls",
		user: "",
		password: "",
		from: "",
		to: "",
		tellsAllWell: channel?.tellsAllWell ?? false,
	};
	if (channel?.means.kind === "heartbeat") return { ...values, protocol: channel.means.protocol };
	if (channel?.means.kind !== "mail") return values;
	const { host, port, encryption, user, from, to } = channel.means;
	return { ...values, host, port, encryption, user, from, to: to.join(", ") };
}

function meansOf({ kind, protocol, host, port, encryption, user, from, to }: Values): ChannelMeans {
	switch (kind) {
		case "mail": {
			const receivers = to.split(/[,;\n]/).map((one) => one.trim());
			const filled = receivers.filter((one) => one !== "");
			return { kind, host, port: Number(port) || 0, encryption, user, from, to: filled };
		}
		case "heartbeat":
			return { kind, origin: "", protocol };
		case "webhook":
			return { kind, origin: "", isSigned: false };
		default:
			return { kind, origin: "" };
	}
}

function typedForm(id: ChannelId | null, values: Values): ChannelForm {
	const filled = (text: string) => (text === "" ? null : text);
	return {
		id,
		name: values.name,
		means: meansOf(values),
		address: filled(values.address),
		password: filled(values.password),
		tellsAllWell: values.tellsAllWell,
	};
}

/** Returns the form that tests a saved channel with its stored secrets. */
export function formOf({ id, name, means, tellsAllWell = false }: AlertChannel): ChannelForm {
	return { id, name, means, address: null, password: null, tellsAllWell };
}

/** Returns a function that describes the receiver of a channel, without the secret part of its URL. */
export function useTarget(): (means: ChannelMeans) => string {
	const { t } = useTranslation("alerts");
	return (means) =>
		means.kind === "mail"
			? t("to.mail", { receivers: formatList(means.to) })
			: t(`to.${means.kind}`, { host: new URL(means.origin).host });
}
