import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExportPortalForm, PortalExportReport, RecordId, SiteView } from "@/bridge";
import { Checklist } from "@/components/checklist";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { FactList, LongFact } from "@/components/fact-list";
import { FileFacts } from "@/components/file-facts";
import { FurtherResponse } from "@/components/further-response";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { ShowInFolder } from "@/components/show-in-folder";
import { WarningList } from "@/components/warning-list";
import { formatDuration } from "@/lib/format";
import { isLocal } from "@/lib/local-site";
import { Inventory } from "./inventory";
import { folderOf } from "./values";

interface ReportProps {
	site: SiteView;
	done: Done<PortalExportReport, ExportPortalForm>;
	exportNow: (form: ExportPortalForm) => void;
}

export function Report({ site, done, exportNow }: ReportProps) {
	const { t } = useTranslation("exportPortal");
	const { form } = done;
	const took = formatDuration(done.took);
	const { outcome, inventory, further } = done.report;
	if (!("location" in outcome)) {
		const warned = outcome.status === "checkedWithWarnings";
		return (
			<Outcome outcome={warned ? "warnings" : "succeeded"} title={t("checked", { location: folderOf(form) })}>
				<Text>{t("checkedNote")}</Text>
				{warned && outcome.messages.length === 0 ? <Text>{t("checkWarned")}</Text> : null}
				{warned ? <WarningList title={t("warningsTitle")} messages={outcome.messages} /> : null}
				<FurtherResponse lines={further} />
				<Group>
					<Button variant="filled" onClick={() => exportNow({ ...form, checkOnly: false })}>
						{t("submit")}
					</Button>
				</Group>
			</Outcome>
		);
	}
	const about = { site: site.name, took };
	const messages = outcome.status === "writtenWithWarnings" ? outcome.messages : [];
	return (
		<Stack gap="lg">
			<Outcome
				outcome={outcome.status === "written" ? "succeeded" : "warnings"}
				title={
					messages.length > 0
						? t("warnings", { ...about, count: messages.length })
						: t(outcome.status === "written" ? "written" : "warned", about)
				}
			>
				<DoneAt at={done.at} />
				{form.checkOnly ? <Text>{t("checkExported")}</Text> : null}
				<FactList>
					<LongFact name={t("file")}>
						{outcome.location ? (
							<CopyField
								value={outcome.location}
								copyLabel={t(outcome.isUrl ? "copyUrl" : "copyPath")}
								isPath={!outcome.isUrl}
							/>
						) : (
							t("noLocation")
						)}
						{isLocal(site) && outcome.location && !outcome.isUrl ? (
							// For object storage, the location is a pointer file.
							form.target.kind === "folder" ? (
								<FileFacts path={outcome.location} />
							) : (
								<ShowInFolder path={outcome.location} />
							)
						) : null}
					</LongFact>
					<Inventory inventory={inventory} />
				</FactList>
				<WarningList title={t("warningsTitle")} messages={messages} />
				<FurtherResponse lines={further} />
			</Outcome>
			<ExcludedItem record={done.record} target={form.target.kind} />
		</Stack>
	);
}

interface ExcludedItemsProps {
	record: RecordId | null;
	target: ExportPortalForm["target"]["kind"];
}

/** Checklist of what a portal export does not include. */
function ExcludedItem({ record, target }: ExcludedItemsProps) {
	const { t } = useTranslation("exportPortal");
	const parts = [
		"servers",
		"dataStores",
		...(target === "bucket" || target === "blob" ? (["store"] as const) : []),
	] as const;
	return (
		<Checklist
			record={record}
			title={t("left")}
			note={t("leftNote")}
			items={parts.map((part) => ({ id: part, label: t(`excluded.${part}`), hint: t(`excludedHint.${part}`) }))}
		/>
	);
}
