import { Button, Group, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Environment, SiteColor, SiteForm } from "@/bridge";
import { Notice } from "@/components/notice";
import { hostAndPortOf } from "@/lib/hosts";
import type { Clash } from "@/lib/merge-site-form";

const labels = {
	name: "form.name",
	environment: "form.kind",
	color: "form.color",
	readOnly: "form.readOnly",
	portal: "form.portal",
	portalAdminUrl: "form.portalAdminUrl",
	clientId: "form.clientId",
	servers: "form.serversTitle",
	"connection.route": "connection.route",
	"connection.caCertificate": "form.caCertificate",
	"connection.clientCertificate": "connection.clientCertificate",
} as const;

const serverLabels = {
	name: "form.serverName",
	address: "form.server",
	adminUrl: "form.direct",
	servicesUrl: "form.public",
	serverType: "form.serverKind",
} as const;

interface ChangedElsewhereProps {
	form: UseFormReturnType<SiteForm>;
	clashes: readonly Clash[];
}

/** The fields that were changed here and elsewhere. What was typed stays until the user takes what is there now. */
export function ChangedElsewhere({ form, clashes }: ChangedElsewhereProps) {
	const { t } = useTranslation(["sites", "common"]);
	if (clashes.length === 0) return null;
	const labelOf = (field: string) => {
		const [, place, part] = /^servers\.(\d+)\.(.+)$/.exec(field) ?? [];
		if (part === undefined) return t(labels[field as keyof typeof labels]);
		const server = form.values.servers[Number(place)];
		return t("elsewhere.ofServer", {
			field: t(serverLabels[part as keyof typeof serverLabels]),
			server: server?.name || hostAndPortOf(server?.address ?? ""),
		});
	};
	const wordsOf = ({ field, current }: Clash) => {
		if (field === "environment") return t(`common:kind.${current as Environment}`);
		if (field === "color") return t(`color.${current as SiteColor}`);
		return typeof current === "string" ? current : "";
	};
	const take = ({ field, current }: Clash) => {
		form.setFieldValue(field as "name", current as string);
		// The button is gone.
		(form.getInputNode(field) ?? document.getElementById("content"))?.focus({ preventScroll: true });
	};
	return (
		<Notice tone="warnings" icon={IconAlertTriangle} role="status" title={t("elsewhere.title")}>
			<Text size="sm">{t("elsewhere.body")}</Text>
			{clashes.map((clash) => {
				const field = labelOf(clash.field);
				const value = wordsOf(clash);
				return (
					<Group key={clash.field} gap="sm" justify="space-between">
						<Text size="sm" style={{ overflowWrap: "anywhere" }}>
							{value === "" ? field : t("elsewhere.now", { field, value })}
						</Text>
						<Button variant="default" aria-label={t("elsewhere.takeOf", { field })} onClick={() => take(clash)}>
							{t("elsewhere.take")}
						</Button>
					</Group>
				);
			})}
		</Notice>
	);
}
