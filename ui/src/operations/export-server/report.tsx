import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
	type ExcludedItem,
	type ExportServerForm,
	type ExportVerification,
	type RecordId,
	type SaveResult,
	type ServerExportReport,
	type ServerType,
	type SiteView,
	useBackend,
} from "@/bridge";
import { Checklist } from "@/components/checklist";
import { DoneAt } from "@/components/done-at";
import { ExportFile, InventoryFact, useExportTitle, type Written, warningsOf } from "@/components/export-result";
import { Foldable, FurtherResponse } from "@/components/foldable";
import type { Done } from "@/components/operation-screen";
import { FactList, Outcome } from "@/components/outcome";
import { SavedFile, UnsavedFile } from "@/components/saved-file";
import { Lines, WarningList } from "@/components/text";
import { Verification } from "@/components/verification";
import { draftKey, useDraft } from "@/lib/drafts";
import { formatDuration, isLocal } from "@/lib/format";
import { serverOf, useTargetNameOf } from "@/lib/target";
import { useSaving } from "@/lib/use-saving";

interface ReportProps {
	site: SiteView;
	done: Done<ServerExportReport, ExportServerForm>;
}

/** Result of a server export, stored on the server or on this computer. */
export function Report({ site, done }: ReportProps) {
	const { outcome, saving } = done.report;
	// The shared type includes checks, which this operation does not have.
	if (!("location" in outcome)) return null;
	const parts = { site, done, outcome };
	return (
		<Stack gap="lg">
			{saving === null ? <OnServer {...parts} /> : <OnThisComputer {...parts} saving={saving} />}
			<ExcludedItemsChecklist site={site} record={done.record} />
		</Stack>
	);
}

interface PartProps extends ReportProps {
	outcome: Written;
}

function OnServer(props: PartProps) {
	const { t } = useTranslation("exportServer");
	const { done, outcome } = props;
	const titleOf = useExportTitle();
	return (
		<Outcome
			outcome={outcome.status === "written" ? "succeeded" : "warnings"}
			title={titleOf(outcome, useAbout(props))}
		>
			<DoneAt at={done.at} />
			<FactList>
				<Stored {...props}>
					<Text>{t("verification.onServer")}</Text>
				</Stored>
			</FactList>
			<Returned {...props} />
		</Outcome>
	);
}

const laterVerification = draftKey<ExportVerification>();

function OnThisComputer({ saving, ...props }: PartProps & { saving: SaveResult }) {
	const { t } = useTranslation("exportServer");
	const { site, done, outcome } = props;
	const backend = useBackend();
	const name = `${site.id} ${done.at} ${outcome.location}`;
	const { kept, keep } = useDraft(laterVerification(name));
	const file = useSaving(name, saving, async () => {
		const saved = await backend.saveStoredExport(serverOf(site), crypto.randomUUID(), outcome.location);
		keep(saved.verification);
		return saved.saving;
	});
	const verification = file.later ? kept : done.report.verification;
	const about = useAbout(props);
	const titleOf = useExportTitle();
	const saved = file.saving.kind === "saved" ? file.saving.file : null;
	const isFaulty = saved !== null && verification !== null && verification.fault !== null;
	const title = () => {
		if (saved === null) return t("notSaved", about);
		if (outcome.status === "writtenWithWarnings") return titleOf(outcome, about);
		return t(file.later ? "savedLater" : "saved", about);
	};
	return (
		<Outcome
			outcome={saved === null || outcome.status !== "written" || isFaulty ? "warnings" : "succeeded"}
			title={title()}
		>
			<DoneAt at={done.at} />
			{saved === null ? <UnsavedFile file={file} /> : null}
			<FactList>
				{saved === null ? null : (
					<SavedFile file={saved} isFaulty={isFaulty}>
						{verification === null ? (
							<Text>{t("verification.skipped")}</Text>
						) : (
							<Verification verification={verification} />
						)}
					</SavedFile>
				)}
				<Stored {...props}>{saved === null ? <Text>{t("stored")}</Text> : null}</Stored>
			</FactList>
			<Returned {...props} />
		</Outcome>
	);
}

/** Lines of a result: the file on the server, and the inventory. */
function Stored({ site, done, outcome, children }: PartProps & { children: ReactNode }) {
	const { t } = useTranslation(["exportServer", "run"]);
	const { inventory, inventoryUnwritten: reason } = done.report;
	return (
		<>
			<ExportFile name={t("file")} outcome={outcome} isHere={isLocal(site)}>
				{children}
			</ExportFile>
			<InventoryFact missing={inventory?.missing ?? null}>
				{inventory ? (
					<Text>
						{t("inventory", {
							services: inventory.services,
							webhooks: inventory.webhooks,
							items: inventory.dataItems,
						})}
					</Text>
				) : null}
				{reason ? <Text mod="anywhere">{t("run:inventory.unwritten", { reason })}</Text> : null}
			</InventoryFact>
		</>
	);
}

/** Warnings of the server, and text that the app does not interpret. */
function Returned({ done, outcome }: PartProps) {
	const { t } = useTranslation("exportServer");
	return (
		<>
			<WarningList title={t("warningsTitle")} messages={warningsOf(outcome)} />
			<FurtherResponse lines={done.report.further} />
		</>
	);
}

function useAbout({ site, done }: PartProps) {
	return { site: useTargetNameOf("export_server", site), took: formatDuration(done.took) };
}

/** Parts that a server export does not include, according to the specification. */
const parts = [
	"cacheTiles",
	"serviceData",
	"primaryAdministrator",
	"webAdaptors",
	"logs",
	"statistics",
] as const satisfies readonly ExcludedItem[];

/** Further parts that an export of a server type does not include, according to its documentation. */
const ofType: { readonly [type in ServerType["kind"]]?: ExcludedItem } = {
	notebook: "notebooks",
	dataPipelines: "dataPipelines",
};

function partsOf({ servers, currentServer }: SiteView): readonly ExcludedItem[] {
	const server = servers.find(({ id }) => id === currentServer);
	const own = server ? ofType[server.serverType.kind] : undefined;
	return own ? [own, ...parts] : parts;
}

/** Lists what the export will not include. The form shows it. */
export function ExcludedItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text mb="xs">{t("leftNote")}</Text>
			<Lines lines={partsOf(site).map((part) => t(`excluded.${part}`))} />
		</Foldable>
	);
}

/** Checklist of what the export does not include, which has to be backed up in another way. */
function ExcludedItemsChecklist({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("exportServer");
	const items = partsOf(site).map((part) => ({
		id: part,
		label: t(`excluded.${part}`),
		hint: t(`excludedHint.${part}`),
	}));
	return <Checklist record={record} title={t("left")} note={t("leftNote")} items={items} />;
}
