import { Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteId } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { LoadingRows } from "@/components/loading-rows";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { usePreferences } from "@/lib/preferences";
import { useAbout } from "@/lib/queries";

import { Doctor } from "./doctor";

export function SettingsPage({ site }: { site: SiteId | null }) {
	const { t } = useTranslation();
	return (
		<Page title={t("settings.title")} description={t("settings.description")}>
			<Theme />
			<Doctor site={site} />
			<About />
		</Page>
	);
}

const schemes = [
	{ value: "light", word: "light" },
	{ value: "dark", word: "dark" },
	{ value: "system", word: "system" },
] as const;

function Theme() {
	const { t } = useTranslation();
	const { preferences, change } = usePreferences();
	return (
		<Paper withBorder p="lg" component="section" aria-labelledby="theme-title">
			<Stack gap="xs" align="flex-start">
				<Title order={2} size="h3" id="theme-title">
					{t("settings.theme")}
				</Title>
				<SegmentedControl
					aria-labelledby="theme-title"
					value={preferences.theme}
					onChange={(value) => change({ theme: value as typeof preferences.theme })}
					data={schemes.map(({ value, word }) => ({ value, label: t(`settings.${word}`) }))}
				/>
				<Text size="sm" c="dimmed">
					{t("settings.themeHint")}
				</Text>
			</Stack>
		</Paper>
	);
}

function About() {
	const { t } = useTranslation();
	const about = useAbout();
	return (
		<Paper withBorder p="lg" component="section" aria-labelledby="about-title">
			<Stack gap="md">
				<Title order={2} size="h3" id="about-title">
					{t("settings.about")}
				</Title>
				{about.isPending ? <LoadingRows rows={3} /> : null}
				{about.error ? <ProblemNotice problem={about.error} onRetry={() => void about.refetch()} /> : null}
				{about.data ? (
					<>
						<Fact name={t("settings.version")} value={`${t("app.name")} ${about.data.version}`} />
						<Stack gap={4}>
							<CopyField label={t("settings.dataFolder")} value={about.data.dataFolder} />
							<Text size="xs" c="dimmed">
								{t("settings.dataFolderHint")}
							</Text>
						</Stack>
						<Fact name={t("settings.keyring")} value={about.data.keyring} hint={t("settings.keyringHint")} />
					</>
				) : null}
			</Stack>
		</Paper>
	);
}

function Fact({ name, value, hint }: { name: string; value: string; hint?: string }) {
	return (
		<Stack gap={2}>
			<Text size="sm" fw={500}>
				{name}
			</Text>
			<Text size="sm">{value}</Text>
			{hint ? (
				<Text size="xs" c="dimmed">
					{hint}
				</Text>
			) : null}
		</Stack>
	);
}
