import { useTranslation } from "react-i18next";
import type { SiteId } from "@/bridge";
import { Page } from "@/components/page";
import { ProblemNotice } from "@/components/problem-notice";
import { usePreferences } from "@/lib/preferences";
import { About } from "./about";
import { Appearance } from "./appearance";
import { Attention } from "./attention";
import { Connection } from "./connection";
import { Diagnostics } from "./diagnostics";
import { PolicyFaults } from "./policy-faults";
import { SettingsReset } from "./settings-reset";

export function SettingsPage({ site }: { site: SiteId | null }) {
	const { t } = useTranslation();
	const { problem } = usePreferences();
	return (
		<Page title={t("settings.title")} description={t("settings.description")}>
			<PolicyFaults />
			<SettingsReset />
			{problem ? <ProblemNotice problem={problem} /> : null}
			<Appearance />
			<Attention />
			<Connection />
			<Diagnostics site={site} />
			<About />
		</Page>
	);
}
