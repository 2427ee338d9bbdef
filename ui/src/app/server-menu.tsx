import { Badge, Button, Menu, Text, type TextProps } from "@mantine/core";
import {
	IconCheck,
	IconChevronDown,
	IconChevronRight,
	IconLayoutGrid,
	IconPlus,
	IconSelector,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServerForm, SiteOverview, SiteView } from "@/bridge";
import { type OutcomeName, WithIcon } from "@/components/outcome";
import { SiteDot } from "@/components/site-dot";
import { Small } from "@/components/text";
import { useConcernText } from "@/lib/concern-text";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useSiteOverview } from "@/lib/queries/program";
import { useServerKind } from "@/lib/server-kind";
import { isPartialCheck, toneOfCheck } from "@/lib/service-state";
import { dotted } from "@/messages/isolated";
import classes from "./top-bar.module.css";

/** Menu of the servers of a site, each with its most urgent fact. Selecting one shows the page for that server. */
export function ServerMenu({ site, server }: { site: SiteView; server: string }) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const overview = useSiteOverview(site.id).data;
	const kindOf = useServerKind();
	return (
		<>
			<IconChevronRight size={16} aria-hidden />
			<Menu position="bottom-start" width={400}>
				<Menu.Target>
					<Button
						variant="transparent"
						className={classes.server ?? ""}
						aria-label={t("bar.chosenServer", { server })}
						title={server}
						rightSection={<IconChevronDown size={14} aria-hidden />}
					>
						<ServerName inherit>{server}</ServerName>
					</Button>
				</Menu.Target>
				<Menu.Dropdown>
					{site.servers.map((one) =>
						one.id === null ? null : (
							<Menu.Item
								key={one.id}
								aria-current={one.id === site.currentServer}
								leftSection={
									one.id === site.currentServer ? (
										<IconCheck size={16} aria-hidden />
									) : (
										<span className={classes.unchecked ?? ""} />
									)
								}
								onClick={() => place.page === "operation" && go({ ...place, server: one.id })}
							>
								<ServerName fw={600} title={one.name}>
									{one.name}
								</ServerName>
								<Small truncate title={one.address}>
									{dotted(kindOf(one), componentOf(overview, one)?.version.value ?? null)}
								</Small>
								{overview ? <WorstFact site={site} server={one} overview={overview} /> : null}
							</Menu.Item>
						),
					)}
					<Menu.Divider />
					<Small px="sm" py={6}>
						{t("bar.serverKeeps")}
					</Small>
				</Menu.Dropdown>
			</Menu>
		</>
	);
}

/** Name of a server, shortened at its start: servers behind one host differ at the end. */
function ServerName({ children, ...props }: TextProps & { children: string; title?: string }) {
	return (
		<Text span display="block" truncate="start" ta="left" {...props}>
			<bdi>{children}</bdi>
		</Text>
	);
}

/** Most urgent concern of a server; without one, whether its services run. */
function WorstFact({ site, server, overview }: { site: SiteView; server: ServerForm; overview: SiteOverview }) {
	const { t } = useTranslation(["common", "sites"]);
	const textOf = useConcernText();
	const worst = overview.concerns.find((concern) => concern.server === server.id);
	if (worst) return <Fact tone={worst.tone}>{textOf(site, worst).title}</Fact>;
	const { value, checkedAt, failedAt } = componentOf(overview, server)?.services ?? {};
	if (!value || !checkedAt || failedAt) return <Fact>{t("common:bar.serverNotChecked")}</Fact>;
	const counts = { running: value.running, total: value.shouldRun };
	const isPartial = isPartialCheck(value);
	const at = isPartial ? t("sites:board.incomplete", { at: formatTime(checkedAt) }) : formatTime(checkedAt);
	return <Fact tone={toneOfCheck(value)}>{t("common:bar.serverRunning", { ...counts, at })}</Fact>;
}

function Fact({ tone, children }: { tone?: OutcomeName; children: string }) {
	const text = (
		<Text size="xs" {...(tone ? {} : { c: "dimmed" })} className={classes.fact ?? ""}>
			{children}
		</Text>
	);
	return tone ? <WithIcon icon={tone}>{text}</WithIcon> : text;
}

function componentOf(overview: SiteOverview | undefined, { id }: ServerForm) {
	return overview?.components.find(({ server }) => server === id);
}

export function SiteSwitcher({ sites, site }: { sites: SiteView[]; site: SiteView | null }) {
	const { t } = useTranslation();
	const { place, go } = useNavigation();
	const name = site?.name ?? (place.page === "sites" ? t("nav.allSites") : null);
	return (
		<Menu position="bottom-start" width={280}>
			<Menu.Target>
				<Button
					fullWidth
					size="sm"
					justify="space-between"
					aria-label={name === null ? t("nav.chooseSite") : t("nav.chosenSite", { site: name })}
					leftSection={
						site ? (
							<SiteDot color={site.color} />
						) : name === null ? null : (
							<IconLayoutGrid size={16} stroke={1.5} aria-hidden />
						)
					}
					rightSection={<IconSelector size={16} stroke={1.5} aria-hidden />}
					styles={{ label: { flex: 1, textAlign: "start" } }}
				>
					<Text fw={400} truncate title={site?.name}>
						{name ?? t("nav.chooseSite")}
					</Text>
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{sites.map((one) => (
					<Menu.Item
						key={one.id}
						leftSection={<SiteDot color={one.color} />}
						rightSection={
							one.id === site?.id ? (
								<IconCheck size={16} aria-hidden />
							) : (
								<Badge variant="default" radius="sm">
									{t(`kind.${one.environment}`)}
								</Badge>
							)
						}
						onClick={() => go({ page: "overview", site: one.id })}
					>
						<Text truncate title={one.name}>
							{one.name}
						</Text>
					</Menu.Item>
				))}
				{sites.length > 0 ? <Menu.Divider /> : null}
				<Menu.Item
					leftSection={<IconLayoutGrid size={16} stroke={1.5} aria-hidden />}
					aria-current={place.page === "sites" ? "page" : undefined}
					onClick={() => go({ page: "sites" })}
				>
					{t("nav.allSites")}
				</Menu.Item>
				<Menu.Item
					leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
					onClick={() => go({ page: "add-site" })}
				>
					{t("nav.addSite")}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
