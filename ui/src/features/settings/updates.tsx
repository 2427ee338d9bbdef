import { Button, Group, Loader, Paper, Progress, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Backend, Release, UpdateFault, UpdateStage, UpdateView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { CommandButton, Notice, ProblemNotice } from "@/components/notice";
import { pageWidths } from "@/components/page";
import { Small } from "@/components/text";
import { formatDay, formatSize } from "@/lib/format";
import { queryKeys } from "@/lib/queries/keys";
import { useUpdates } from "@/lib/queries/program";
import { useCommand } from "@/lib/use-command";

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
			{look.error ? <ProblemNotice problem={look.error} /> : null}
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
			{install.error ? <ProblemNotice problem={install.error} /> : null}
			{look.error ? <ProblemNotice problem={look.error} /> : null}
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
			{stop.error ? <ProblemNotice problem={stop.error} /> : null}
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
			{restart.error ? <ProblemNotice problem={restart.error} /> : null}
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
