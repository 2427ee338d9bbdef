import { Select, type SelectProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServerForm, ServerType } from "@/bridge";

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
