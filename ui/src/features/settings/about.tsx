import { Button, Code, Group, List, Loader, Paper, Progress, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconLock } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Backend, CheckResult, FactValue, Release, SiteId, UpdateFault, UpdateStage, UpdateView } from "@/bridge";
import { CopyButton, CopyField } from "@/components/copy-field";
import { ConfirmDialog, DialogFrame } from "@/components/dialog";
import { CommandButton, LoadingRows, Notice, ProblemNotice, type Tone } from "@/components/notice";
import { Card, pageWidths } from "@/components/page";
import { Breakable, Small } from "@/components/text";
import { formatDay, formatMoment, formatSize, formatSpan } from "@/lib/format";
import { queryKeys } from "@/lib/queries/keys";
import { useAbout, useUpdates } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";

export function About() {
	const { t } = useTranslation();
	const about = useAbout();
	const [licences, setLicences] = useState(false);
	const logs = useCommand((backend) => backend.showLogs());
	return (
		<Card title={t("settings.about")}>
			{about.isPending ? <LoadingRows rows={3} /> : null}
			<ProblemNotice problem={about.error} onRetry={() => void about.refetch()} />
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
			<ProblemNotice problem={logs.error} />
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

/** App updates. The update server is contacted only when the button is pressed. */
export function Updates() {
	const { t } = useTranslation("updates");
	const updates = useUpdates();
	const title = useId();
	if (!updates.data) return updates.error ? <ProblemNotice problem={updates.error} /> : null;
	const { stage, fault } = updates.data;
	return (
		<Stack gap={stage.kind === "noKey" ? 2 : "sm"} component="section" aria-labelledby={title} maw={pageWidths.form}>
			<Title order={3} size="h5" id={title}>
				{t("title")}
			</Title>
			<Stage stage={stage} />
			{fault ? <Fault fault={fault} isInstalled={stage.kind === "installed"} /> : null}
		</Stack>
	);
}

function Stage({ stage }: { stage: UpdateStage }) {
	const { t } = useTranslation("updates");
	switch (stage.kind) {
		case "noKey":
			return <Text>{t("noKey")}</Text>;
		case "forbidden":
		case "notLooked":
		case "upToDate":
			return <Look stage={stage.kind} />;
		case "newer":
			return <Newer release={stage.release} isHere={stage.way === "here"} />;
		case "downloading":
			return <Downloading {...stage} />;
		case "installing":
			return (
				<Group gap="sm" wrap="nowrap" role="status">
					<Loader size={20} aria-hidden />
					<Text>{t("installing", { version: stage.release.version })}</Text>
				</Group>
			);
		case "installed":
			return <Installed release={stage.release} />;
	}
}

/** Runs a command that returns the new state of updates. */
function useAct(act: (backend: Backend) => Promise<UpdateView>) {
	return useCommand(act, null, { answers: queryKeys.updates });
}

function Look({ stage }: { stage: "forbidden" | "notLooked" | "upToDate" }) {
	const { t } = useTranslation("updates");
	const look = useAct((backend) => backend.checkForUpdate());
	const hint = useId();
	const isForbidden = stage === "forbidden";
	return (
		<>
			<Group>
				<CommandButton command={look} label={t("look")} aria-describedby={hint} disabled={isForbidden} />
				<Text fw={600} role="status">
					{stage === "upToDate" ? t("upToDate") : null}
				</Text>
			</Group>
			<Group gap={4} wrap="nowrap" id={hint}>
				{isForbidden ? <IconLock size={14} aria-hidden /> : null}
				<Small>{t(isForbidden ? "forbidden" : "hint")}</Small>
			</Group>
			<ProblemNotice problem={look.error} />
		</>
	);
}

function Newer({ release, isHere }: { release: Release; isHere: boolean }) {
	const { t } = useTranslation("updates");
	const install = useAct((backend) => backend.installUpdate(release.version));
	const look = useAct((backend) => backend.checkForUpdate());
	const [asking, setAsking] = useState(false);
	return (
		<Stated title={t("newer", { version: release.version })}>
			{release.date === null ? null : <Text c="dimmed">{t("madeAt", { day: formatDay(release.date) })}</Text>}
			{release.notes === "" ? null : (
				<ScrollArea.Autosize
					mah={240}
					viewportProps={{ tabIndex: 0, role: "region", "aria-label": t("notes", { version: release.version }) }}
				>
					<Text mod="anywhere" style={{ whiteSpace: "pre-wrap" }}>
						{release.notes}
					</Text>
				</ScrollArea.Autosize>
			)}
			{isHere ? null : <Text>{t("elsewhere")}</Text>}
			<Group gap="xs">
				{isHere ? (
					<Button variant="filled" loading={install.isPending} onClick={() => setAsking(true)}>
						{t("install")}
					</Button>
				) : null}
				<CommandButton command={look} label={t("lookAgain")} />
			</Group>
			<ProblemNotice problem={install.error} />
			<ProblemNotice problem={look.error} />
			<ConfirmDialog
				opened={asking}
				onClose={() => setAsking(false)}
				title={t("confirm.title", { version: release.version })}
				confirm={t("confirm.act")}
				onConfirm={() => install.mutate()}
			>
				<Text>{t("confirm.body")}</Text>
				<Text>{t("confirm.windows")}</Text>
			</ConfirmDialog>
		</Stated>
	);
}

function Downloading({ release, done, total }: Extract<UpdateStage, { kind: "downloading" }>) {
	const { t } = useTranslation("updates");
	const stop = useCommand((backend) => backend.stopUpdate());
	const share = total ? (done / total) * 100 : 0;
	return (
		<Stated title={t("downloading", { version: release.version })}>
			<Progress value={share} aria-label={t("progress")} />
			<Text>
				{total === null ? formatSize(done) : t("doneOf", { done: formatSize(done), total: formatSize(total) })}
			</Text>
			<Text c="dimmed">{t("leave")}</Text>
			<Group>
				<CommandButton command={stop} label={t("stop")} />
			</Group>
			<ProblemNotice problem={stop.error} />
		</Stated>
	);
}

function Installed({ release }: { release: Release }) {
	const { t } = useTranslation("updates");
	const restart = useAct((backend) => backend.restartForUpdate());
	return (
		<Stated title={t("installed", { version: release.version })}>
			<Text>{t("installedBody")}</Text>
			<Group>
				<CommandButton command={restart} label={t("restart")} variant="filled" />
			</Group>
			<ProblemNotice problem={restart.error} />
		</Stated>
	);
}

function Stated({ title, children }: { title: string; children: ReactNode }) {
	return (
		<Paper withBorder p="md">
			<Stack gap="xs">
				<Text fw={600} role="status">
					{title}
				</Text>
				{children}
			</Stack>
		</Paper>
	);
}

function Fault({ fault, isInstalled }: { fault: UpdateFault; isInstalled: boolean }) {
	const { t } = useTranslation(["updates", "common"]);
	const advice =
		fault.kind === "operationRuns"
			? t("fault.operationRuns.do", {
					operation: fault.act ? t(`common:historyAction.${fault.act}`) : t(`common:operation.${fault.operation}.name`),
					site: fault.siteName,
				})
			: t(`fault.${fault.kind}.do`);
	return (
		<Notice tone="failed" title={t(`fault.${fault.kind}.title`)}>
			<Text>{advice}</Text>
			{isInstalled ? null : <Text>{t("unchanged")}</Text>}
			{"said" in fault ? <Small mod="anywhere">{fault.said}</Small> : null}
		</Notice>
	);
}

/**
 * Checks of the app, and of the connection to `site` if one is selected. They start only when the button is pressed.
 */
export function Diagnostics({ site }: { site: SiteId | null }) {
	const { t, i18n } = useTranslation("diagnostics");
	const examination = useCommand((backend) => backend.runDiagnostics(site));
	return (
		<Card title={t("title")} hint={t("description")}>
			<Group gap="sm">
				<CommandButton command={examination} label={examination.data ? t("again") : t("examine")} />
				{examination.data ? <CopyButton value={examination.data.text} label={t("copy")} /> : null}
			</Group>
			{examination.data && i18n.language !== "en" ? <Small>{t("copyIsEnglish")}</Small> : null}
			{examination.isPending ? <LoadingRows rows={4} /> : null}
			<ProblemNotice problem={examination.error} />
			{examination.data?.findings.map((finding) => (
				<FindingNotice key={finding.check} finding={finding} />
			))}
		</Card>
	);
}

const looks: Record<CheckResult["state"], { tone: Tone; icon: typeof IconCircleCheck }> = {
	ok: { tone: "succeeded", icon: IconCircleCheck },
	advice: { tone: "warnings", icon: IconAlertTriangle },
	trouble: { tone: "failed", icon: IconCircleX },
};

function FindingNotice({ finding }: { finding: CheckResult }) {
	const { t } = useTranslation("diagnostics");
	const wordsOf = useValueWords();
	const { tone, icon } = looks[finding.state];
	const title = `${t(`check.${finding.check}`)}: ${t(`state.${finding.state}`)}`;
	return (
		<Notice tone={tone} icon={icon} role="status" title={title}>
			{finding.advice ? <Text>{t(`advice.${finding.advice}`)}</Text> : null}
			<List listStyleType="none" c="dimmed" mod="anywhere">
				{finding.facts.map((fact, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: facts have no other identity and never move
					<List.Item key={index}>
						<Breakable>{t("factLine", { name: t(`fact.${fact.name}`), value: wordsOf(fact.value) })}</Breakable>
					</List.Item>
				))}
			</List>
		</Notice>
	);
}

function useValueWords(): (value: FactValue) => string {
	const { t } = useTranslation("diagnostics");
	return (value) => {
		switch (value.kind) {
			case "said":
				return value.text;
			case "size":
				return formatSize(value.bytes);
			case "span":
				return formatSpan(value.millis);
			case "moment":
				return formatMoment(value.at);
			case "words":
				return t(`words.${value.words}`, { about: value.about });
		}
	};
}
