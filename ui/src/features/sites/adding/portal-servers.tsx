import { Box, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundServerView, SiteView } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { formatNumber } from "@/lib/format";
import { hostOf } from "@/lib/hosts";
import { useFoundServers } from "@/lib/queries/site";
import { formOf } from "@/lib/site-form";
import { useSaveSite } from "@/lib/use-save-site";
import { OtherHost } from "../fields/other-host";
import { FellBack } from "./fell-back";

interface PortalServersProps {
	site: SiteView;
	onDone: () => void;
}

/** The servers that the portal knows; those that are picked are kept with the site. */
export function PortalServers({ site, onDone }: PortalServersProps) {
	const { t } = useTranslation("sites");
	const [changed, setPicked] = useState<readonly string[] | null>(null);
	const servers = useFoundServers(site);
	// A portal with one server leaves nothing to choose between.
	const addresses = servers.data?.map(({ form }) => form.address) ?? [];
	const picked = changed ?? (addresses.length === 1 ? addresses.filter((one) => !isKept(site, one)) : []);
	const save = useSaveSite(onDone);
	const keep = () => {
		const chosen = servers.data?.filter(({ form }) => picked.includes(form.address)) ?? [];
		const form = formOf(site);
		save.mutate({ ...form, servers: [...site.servers, ...chosen.map((one) => one.form)] });
	};
	return (
		<Stack>
			{site.portal === null ? <Text>{t("servers.noPortal")}</Text> : null}
			{servers.isFetching ? <LoadingRows rows={2} height={28} /> : null}
			{servers.error ? <ProblemNotice problem={servers.error} onRetry={() => void servers.refetch()} /> : null}
			{servers.data?.length === 0 ? <Text>{t("servers.portalKnowsNone")}</Text> : null}
			{servers.data && servers.data.length > 0 ? (
				<Checkbox.Group
					aria-label={t("servers.portalKnows")}
					description={t("servers.portalKnowsHint")}
					value={[...picked, ...addresses.filter((one) => isKept(site, one))]}
					onChange={(values) => setPicked(values.filter((address) => !isKept(site, address)))}
				>
					<Stack gap="xs" mt="xs">
						{servers.data.map((server) => (
							<OneServer key={server.form.address} site={site} server={server} />
						))}
					</Stack>
				</Checkbox.Group>
			) : null}
			{save.error ? <ProblemNotice problem={save.error} /> : null}
			<Group>
				{picked.length > 0 ? (
					<Button variant="filled" loading={save.isPending} onClick={keep}>
						{t("servers.keep", { count: picked.length, formatted: formatNumber(picked.length) })}
					</Button>
				) : (
					<Button variant="filled" onClick={onDone}>
						{t("adding.done")}
					</Button>
				)}
			</Group>
		</Stack>
	);
}

function OneServer({ site, server: { form, version, fellBack } }: { site: SiteView; server: FoundServerView }) {
	const { t } = useTranslation("sites");
	const kept = isKept(site, form.address);
	const details = [form.address, version ? t("found.version", { version }) : null, kept ? t("servers.kept") : null];
	return (
		<Stack gap={4}>
			<Checkbox
				value={form.address}
				disabled={kept}
				label={form.name}
				description={
					<>
						{details.filter((one) => one !== null).join(" · ")} {isElsewhere(site, form.address) ? <OtherHost /> : null}
					</>
				}
			/>
			{fellBack ? (
				<Box ms={32}>
					<FellBack fellBack={fellBack} />
				</Box>
			) : null}
		</Stack>
	);
}

/** Whether what is sent there goes to another host than the portal's. Servers have ports of their own. */
function isElsewhere({ portal }: SiteView, address: string): boolean {
	return portal !== null && hostOf(portal) !== hostOf(address);
}

function isKept(site: SiteView, address: string): boolean {
	const plain = (text: string) => text.replace(/\/+$/, "");
	return site.servers.some((one) =>
		[one.address, one.servicesUrl, one.adminUrl].some((own) => plain(own) === plain(address)),
	);
}
