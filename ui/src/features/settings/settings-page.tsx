import { List, Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SiteId } from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { Notice } from "@/components/notice";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { usePreferences } from "@/lib/preferences";
import { About } from "./about";
import { Appearance } from "./appearance";
import { Connection } from "./connection";
import { Diagnostics } from "./diagnostics";
import { Forwarding } from "./forwarding";
import { Section } from "./section";
import { useLocked } from "./use-locked";

export function SettingsPage({ site }: { site: SiteId | null }) {
	const { t } = useTranslation();
	const { problem } = usePreferences();
	return (
		<Page title={t("settings.title")} description={t("settings.description")}>
			<PolicyFaults />
			<SetAside />
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

/** What the program may point out by itself. */
function Attention() {
	const { t } = useTranslation();
	const { preferences, change } = usePreferences();
	const locked = useLocked();
	return (
		<Section title={t("settings.attention")}>
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
		</Section>
	);
}

/** What is wrong with the file of the organisation, for whoever can mend it. */
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

/** Where the data is that could not be read at the start. */
function SetAside() {
	const { t } = useTranslation();
	const { setAside } = usePreferences();
	return setAside.map(({ what, path }) => (
		<Notice key={path} tone="warnings" title={t(`settings.setAside.${what}.title`)}>
			<Text>{t(`settings.setAside.${what}.body`)}</Text>
			<CopyField label={t(`settings.setAside.${what}.path`)} value={path} />
		</Notice>
	));
}
