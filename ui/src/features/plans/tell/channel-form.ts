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

/** What is typed. Secrets that are stored are not shown: an empty field keeps them. */
export interface Values {
	name: string;
	kind: Exclude<ChannelKind, "desktop">;
	address: string;
	protocol: HeartbeatProtocol;
	host: string;
	/** A number field may be empty while the user types. */
	port: number | string;
	encryption: ChannelEncryption;
	user: string;
	password: string;
	from: string;
	to: string;
}

/** The port at which mail servers take each encryption. */
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

/** A channel as it was typed. */
export function typedForm(id: ChannelId | null, values: Values): ChannelForm {
	const filled = (text: string) => (text === "" ? null : text);
	return {
		id,
		name: values.name,
		means: meansOf(values),
		address: filled(values.address),
		password: filled(values.password),
	};
}

/** A saved channel as it is tried: with its stored secrets. */
export function formOf({ id, name, means }: AlertChannel): ChannelForm {
	return { id, name, means, address: null, password: null };
}

/** Returns what a channel sends to, without the secret part of its address. */
export function useTarget(): (means: ChannelMeans) => string {
	const { t } = useTranslation("alerts");
	return (means) =>
		means.kind === "mail"
			? t("to.mail", { receivers: formatList(means.to) })
			: t(`to.${means.kind}`, { host: new URL(means.origin).host });
}
