import { Group, Input, List, SegmentedControl, Select, type SelectProps, Switch, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Preferences, SetAside, SiteId } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { CommandButton, Notice, ProblemNotice } from "@/components/notice";
import { Card, Page } from "@/components/page";
import { formatPercent } from "@/lib/format";
import { usePreferences } from "@/lib/preferences";
import { useCommand } from "@/lib/use-command";
import { zoomSteps } from "@/lib/use-zoom";
import { About, Diagnostics } from "./about";
import { Connection } from "./connection";
import { Forwarding } from "./forwarding";
import { useLocked } from "./use-locked";

export function SettingsPage({ site }: { site: SiteId | null }) {
	const { t } = useTranslation();
	const { problem } = usePreferences();
	return (
		<Page title={t("settings.title")} description={t("settings.description")}>
			<PolicyFaults />
			<SetAsideList />
			<ProblemNotice problem={problem} />
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
	const resolve = useCommand(() => resolveSetAside(file), ["resolveSetAside"]);
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
			<ProblemNotice problem={resolve.error} />
		</Notice>
	);
}

/** Data that was set aside although no file is damaged. The advice to repair a file does not apply to it. */
const wholes: ReadonlySet<SetAside["what"]> = new Set(["beforeRelease", "equalSites"]);

const themes = ["system", "light", "dark"] as const satisfies readonly Preferences["theme"][];
const languages = ["system", "en", "de", "es"] as const satisfies readonly Preferences["language"][];

/** Input first, so that neighboring fields are aligned regardless of their descriptions. */
const below = ["label", "input", "description", "error"] satisfies SelectProps["inputWrapperOrder"];

function Appearance() {
	const { t } = useTranslation();
	const { preferences, change, isLocked } = usePreferences();
	const locked = useLocked();
	const theme = useId();
	// Adds the current size if it is not one of the steps.
	const sizes = [...new Set([...zoomSteps, preferences.zoom])].sort((one, other) => one - other);
	return (
		<Card title={t("settings.appearance")}>
			<Input.Wrapper
				label={t("settings.theme")}
				labelElement="div"
				labelProps={{ id: theme }}
				{...locked.describe("theme")}
			>
				<Group>
					<SegmentedControl
						aria-labelledby={theme}
						disabled={isLocked("theme")}
						value={preferences.theme}
						onChange={(value) => change({ theme: value as Preferences["theme"] })}
						data={themes.map((value) => ({ value, label: t(`settings.${value}`) }))}
					/>
				</Group>
			</Input.Wrapper>
			<Group align="flex-start" gap="md">
				<Select
					w={220}
					label={t("settings.language")}
					value={preferences.language}
					onChange={(value) => value && change({ language: value as Preferences["language"] })}
					data={languages.map((value) => ({ value, label: t(`settings.languages.${value}`) }))}
					inputWrapperOrder={below}
					{...locked.field("language")}
				/>
				<Select
					w={220}
					label={t("settings.zoom")}
					value={String(preferences.zoom)}
					onChange={(value) => value && change({ zoom: Number(value) })}
					data={sizes.map((size) => ({ value: String(size), label: formatPercent(size / 100) }))}
					inputWrapperOrder={below}
					{...locked.field("zoom")}
				/>
			</Group>
		</Card>
	);
}
