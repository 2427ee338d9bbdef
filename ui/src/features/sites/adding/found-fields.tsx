import { Stack, Text, Title } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import type { FellBackView, FoundSiteView, ServerForm, SiteForm } from "@/bridge";
import { Notice } from "@/components/notice";
import { Small } from "@/components/text";
import { hostAndPortOf, hostOf } from "@/lib/hosts";
import { joined } from "@/messages/isolated";
import { PortalFields } from "../fields/portal-fields";
import { ServerFields } from "../fields/server-fields";
import { FellBack } from "./fell-back";

interface FoundFieldsProps {
	form: UseFormReturnType<SiteForm>;
	/** `null` if the user enters the URLs by hand. */
	found: FoundSiteView | null;
	/** Entered URL. The site might have been found at another host. */
	pasted: string;
}

/** URLs of the site, each with how it was found. */
export function FoundFields({ form, found, pasted }: FoundFieldsProps) {
	const { t } = useTranslation(["sites", "common"]);
	const about = (server: ServerForm) => {
		const one = found?.servers.find(({ form: { address } }) => address === server.address);
		return one ? <How version={one.version} fellBack={one.fellBack} /> : null;
	};
	const hosts = found ? otherHosts(found, pasted) : [];
	return (
		<Stack>
			{found ? (
				<Notice tone="succeeded" title={t(`found.title.${found.deploymentType}`)}>
					<Text>
						{found.portal?.name ? t("found.named", { name: found.portal.name }) : null}{" "}
						{found.servers.length > 0 ? t("found.servers", { count: found.servers.length }) : null}{" "}
						{t("found.override")}
					</Text>
				</Notice>
			) : null}
			{hosts.length > 0 ? (
				<Notice tone="warnings" title={t("found.otherHost")}>
					<Text mod="anywhere">
						{t("found.otherHostCheck", { hosts: joined(hosts, ", "), entered: hostAndPortOf(pasted) })}
					</Text>
				</Notice>
			) : null}
			<Title order={3} size="h5">
				{t("form.portalTitle")}
			</Title>
			<PortalFields
				form={form}
				about={found?.portal ? <How version={found.portal.version} fellBack={found.portal.fellBack} /> : null}
			/>
			<Title order={3} size="h5">
				{t("form.serversTitle")}
			</Title>
			<ServerFields form={form} about={about} none={found?.portal ? t("servers.afterSignIn") : undefined} />
		</Stack>
	);
}

/** Returns the hosts that would receive credentials of the site although the user did not enter them. */
function otherHosts(found: FoundSiteView, pasted: string): string[] {
	const main = found.portal ? [found.portal.address] : found.servers.map(({ form }) => form.address);
	const others = main.filter((address) => hostOf(address) !== "" && hostOf(address) !== hostOf(pasted));
	return [...new Set(others.map(hostAndPortOf))];
}

function How({ version, fellBack }: { version: string | null; fellBack: FellBackView | null }) {
	const { t } = useTranslation("sites");
	return (
		<>
			<Small>{version ? t("found.answeredVersion", { version }) : t("found.answered")}</Small>
			{fellBack ? <FellBack fellBack={fellBack} /> : null}
		</>
	);
}
