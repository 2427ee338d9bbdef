import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { DialogFrame } from "@/components/dialog";
import { CommandButton, LoadingRows, ProblemNotice } from "@/components/notice";
import { Card } from "@/components/page";
import { Small } from "@/components/text";
import { useAbout } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";
import { Updates } from "./updates";

export function About() {
	const { t } = useTranslation();
	const about = useAbout();
	const [licences, setLicences] = useState(false);
	const logs = useCommand((backend) => backend.showLogs());
	return (
		<Card title={t("settings.about")}>
			{about.isPending ? <LoadingRows rows={3} /> : null}
			{about.error ? <ProblemNotice problem={about.error} onRetry={() => void about.refetch()} /> : null}
			{about.data ? (
				<>
					<Fact name={t("settings.version")} value={`${t("app.name")} ${about.data.version}`} />
					<Updates />
					<Stack gap={4}>
						<CopyField label={t("settings.dataFolder")} value={about.data.dataFolder} />
						<Small>{t("settings.dataFolderHint")}</Small>
					</Stack>
					<Stack gap={4}>
						<CopyField label={t("settings.logFolder")} value={about.data.logFolder} />
						<Small>{t("settings.logFolderHint")}</Small>
					</Stack>
					<Fact name={t("settings.keyring")} value={about.data.keyring} hint={t("settings.keyringHint")} />
				</>
			) : null}
			{logs.error ? <ProblemNotice problem={logs.error} /> : null}
			<Group gap="xs">
				<CommandButton command={logs} label={t("settings.showLogs")} />
				<Button onClick={() => setLicences(true)}>{t("settings.licences")}</Button>
			</Group>
			<Licences opened={licences} onClose={() => setLicences(false)} />
		</Card>
	);
}

function Fact({ name, value, hint }: { name: string; value: string; hint?: string }) {
	return (
		<Stack gap={2}>
			<Text fw={600}>{name}</Text>
			<Text>{value}</Text>
			{hint ? <Small>{hint}</Small> : null}
		</Stack>
	);
}

// Loaded on demand, because the texts are long and rarely read.
const LicenceTexts = lazy(async () => {
	const { default: texts } = await import("./licences.txt?raw");
	return {
		default: () => (
			<Code block style={{ whiteSpace: "pre-wrap" }}>
				{texts}
			</Code>
		),
	};
});

function Licences({ opened, onClose }: { opened: boolean; onClose: () => void }) {
	const { t } = useTranslation();
	return (
		<DialogFrame opened={opened} onClose={onClose} size="xl" title={t("settings.licencesTitle")}>
			<Suspense fallback={<LoadingRows rows={8} />}>
				<LicenceTexts />
			</Suspense>
		</DialogFrame>
	);
}
