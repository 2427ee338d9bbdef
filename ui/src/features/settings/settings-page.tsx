import { Group, List, Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SetAside, SiteId } from "@/bridge";
import { CommandButton } from "@/components/command-button";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { Card } from "@/components/section";
import { usePreferences } from "@/lib/preferences";
import { useCommand } from "@/lib/use-command";
import { About } from "./about";
import { Appearance } from "./appearance";
import { Connection } from "./connection";
import { Diagnostics } from "./diagnostics";
import { Forwarding } from "./forwarding";
import { useLocked } from "./use-locked";

export function SettingsPage({ site }: { site: SiteId | null }) {
	const { t } = useTranslation();
	const { problem } = usePreferences();
	return (
		<Page title={t("settings.title")} description={t("settings.description")}>
			<PolicyFaults />
			<SetAsideList />
			{problem ? <ProblemNotice problem={problem} /> : null}
			<Appearance />
			<Attention />
			<Connection />
			<Forwarding />
			<Diagnostics site={site} />
			<About />
		</Page>
	);
}

function Attention() {
	const { t } = useTranslation();
	const { preferences, change } = usePreferences();
	const locked = useLocked();
	return (
		<Card title={t("settings.attention")}>
			<Switch
				label={t("settings.notifications")}
				{...locked.choice("notifications", t("settings.notificationsHint"))}
				checked={preferences.notifications}
				onChange={(event) => change({ notifications: event.currentTarget.checked })}
			/>
			<Switch
				label={t("settings.reminders")}
				{...locked.choice("reminders", t("settings.remindersHint"))}
				checked={preferences.reminders}
				onChange={(event) => change({ reminders: event.currentTarget.checked })}
			/>
		</Card>
	);
}

/** Faults of the organization's settings file, for the administrator who can correct it. */
function PolicyFaults() {
	const { t } = useTranslation();
	const { policy } = usePreferences();
	if (policy === null || policy.faults.length === 0) return null;
	return (
		<Notice tone="warnings" title={t("settings.policyFaults")}>
			<Text>{t("settings.policyFaultsBody")}</Text>
			<List>
				{policy.faults.map((fault) => (
					<List.Item key={"key" in fault ? fault.key : fault.kind}>
						{t(`settings.policyFault.${fault.kind}`, { ...fault })}
					</List.Item>
				))}
			</List>
			<CopyField label={t("settings.policyFile")} value={policy.file} />
		</Notice>
	);
}

/** Damaged files that were set aside, with their location and what to do. */
function SetAsideList() {
	const { setAside } = usePreferences();
	return setAside.map((file) => <SetAsideNotice key={file.path} file={file} />);
}

function SetAsideNotice({ file }: { file: SetAside }) {
	const { t } = useTranslation();
	const { resolveSetAside } = usePreferences();
	const resolve = useCommand(
		() => resolveSetAside(file),
		(stale) => stale("resolveSetAside"),
	);
	const title = t(`settings.setAside.${file.what}.title`);
	return (
		<Notice tone="warnings" title={title}>
			<Text>{t(`settings.setAside.${file.what}.body`)}</Text>
			{file.isEmpty ? <Text>{t("settings.setAside.empty")}</Text> : null}
			<CopyField label={t(`settings.setAside.${file.what}.path`)} value={file.path} />
			{wholes.has(file.what) ? null : <Text c="dimmed">{t("settings.setAside.howResolve")}</Text>}
			<Group>
				<CommandButton
					command={resolve}
					label={t("settings.setAside.resolve")}
					aria-label={t("settings.setAside.resolveLabel", { title })}
				/>
			</Group>
			{resolve.error ? <ProblemNotice problem={resolve.error} /> : null}
		</Notice>
	);
}

/** These consist of several files, so no single file can be replaced. */
const wholes: ReadonlySet<SetAside["what"]> = new Set(["beforeRelease", "equalSites"]);
