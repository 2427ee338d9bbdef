import { Paper, SimpleGrid, Stack, Text, Tooltip } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, SessionView, SiteView } from "@/bridge";
import { Breakable } from "@/components/breakable";
import { ExportAgeLine } from "@/components/export-age";
import { Time } from "@/components/time";
import { exportAges } from "@/lib/export-age";
import { formatExactTime, formatLeft } from "@/lib/format";
import { useServerExportState } from "@/lib/queries";
import { roleText } from "@/lib/role-text";
import { serverOf } from "@/lib/target";
import { useNow } from "@/lib/use-now";
import { whenShown } from "@/lib/when-shown";

const ServerChoice = whenShown(async () => (await import("./server-choice")).ServerChoice);

/** What this site is: its areas with their versions, who is signed in, how old its copies are. */
export function Facts({ site, session }: { site: SiteView; session: SessionView }) {
	const { t } = useTranslation(["sites", "common"]);
	const { t: common } = useTranslation("common");
	const ages = exportAges(site);
	return (
		<Paper withBorder p="md">
			<SimpleGrid cols={{ base: 1, sm: 2, md: 4 }} spacing="lg" component="dl" m={0}>
				<Fact name={t("overview.portal")}>
					<Where address={site.portal} version={session.portalVersion} />
					<Small>{t(`common:flavour.${site.deploymentType}`)}</Small>
				</Fact>
				<Fact name={t("overview.server")}>
					<Where address={site.server} version={session.serverVersion} />
					{site.servers.length < 2 ? null : (
						<Suspense>
							<ServerChoice site={site} />
						</Suspense>
					)}
				</Fact>
				<Fact name={t("overview.person")}>
					<Text size="sm">
						{t("common:bar.person", { username: session.username, role: roleText(common, session.role) })}
					</Text>
					<Small>{session.expiresAt === null ? t("overview.noEnd") : <TokenEnd at={session.expiresAt} />}</Small>
				</Fact>
				<Fact name={t("overview.exports")}>
					{ages.length === 0 ? <Text size="sm">{t("overview.noExports")}</Text> : null}
					{ages.map((age) => (
						<ExportAgeLine key={age.area} age={age} />
					))}
					{ages.some(({ area, at }) => area === "server" && at !== null) ? <ServerExportProof site={site} /> : null}
				</Fact>
			</SimpleGrid>
		</Paper>
	);
}

/** Whether an export of the server was verified, and whether one was imported into a site for tests. */
function ServerExportProof({ site }: { site: SiteView }) {
	const { t } = useTranslation("sites", { keyPrefix: "export.server" });
	const state = useServerExportState(serverOf(site)).data;
	if (!state) return null;
	const { verified, partlyVerified, rehearsed } = state;
	return (
		<>
			<Small>
				{verified === null ? (
					t("neverVerified")
				) : (
					<>
						{t("verified")} <Time at={verified} relative />
					</>
				)}
			</Small>
			{partlyVerified === null ? null : (
				<Small>
					{t("partlyVerified", { count: partlyVerified.unverifiedEntries })} <Time at={partlyVerified.at} relative />
				</Small>
			)}
			{/* A site for tests is where exports of others are rehearsed. */}
			{rehearsed !== null ? (
				<Small>
					{t("rehearsed", { site: rehearsed.siteName })} <Time at={rehearsed.at} relative />
				</Small>
			) : site.environment === "production" ? (
				<Small>{t("neverRehearsed")}</Small>
			) : null}
		</>
	);
}

/** In how long the token expires, as the bar has it. */
function TokenEnd({ at }: { at: Millis }) {
	const { t } = useTranslation("sites");
	const left = at - useNow(20_000);
	return (
		<Tooltip label={formatExactTime(at)}>
			<time dateTime={new Date(at).toISOString()}>
				{left > 0 ? t("overview.ends", { left: formatLeft(left) }) : t("overview.ended")}
			</time>
		</Tooltip>
	);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<Stack gap={2} component="div" miw={0}>
			<Text component="dt" size="xs" c="dimmed">
				{name}
			</Text>
			<Stack component="dd" gap={2} m={0} miw={0}>
				{children}
			</Stack>
		</Stack>
	);
}

function Where({ address, version }: { address: string | null; version: string | null }) {
	const { t } = useTranslation("sites");
	if (address === null) return <Text size="sm">{t("overview.none")}</Text>;
	return (
		<>
			<Text size="sm" style={{ overflowWrap: "anywhere" }}>
				<Breakable>{address}</Breakable>
			</Text>
			<Small>{version ? t("overview.version", { version }) : t("overview.noVersion")}</Small>
		</>
	);
}

function Small({ children }: { children: ReactNode }) {
	return (
		<Text size="xs" c="dimmed">
			{children}
		</Text>
	);
}
