import { Group, List, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CheckResult, FactValue, SiteId } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { CommandButton, LoadingRows, Notice, ProblemNotice, type Tone } from "@/components/notice";
import { Card } from "@/components/page";
import { Breakable, Small } from "@/components/text";
import { formatMoment, formatSize, formatSpan } from "@/lib/format";
import { useCommand } from "@/lib/use-command";

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
			{examination.error ? <ProblemNotice problem={examination.error} /> : null}
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
