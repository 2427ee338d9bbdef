import { useTranslation } from "react-i18next";
import type {
	AlertChannel,
	ChannelEncryption,
	ChannelForm,
	ChannelId,
	ChannelKind,
	ChannelMeans,
	HeartbeatProtocol,
} from "@/bridge";
import { formatList } from "@/lib/format";

/** Values of the form. Stored secrets are not shown; an empty field keeps them. */
export interface Values {
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
export const usualPort: Readonly<Record<ChannelEncryption, number>> = { tls: 465, startTls: 587, none: 25 };

export function valuesOf(channel: AlertChannel | null, kind: Values["kind"]): Values {
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

export function typedForm(id: ChannelId | null, values: Values): ChannelForm {
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
