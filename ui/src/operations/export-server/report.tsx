import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
	type ExcludedItem,
	type ExportOutcome,
	type ExportServerForm,
	type ExportVerification,
	type InventorySummary,
	type RecordId,
	type SaveResult,
	type ServerExportReport,
	type ServerType,
	type SiteView,
	useBackend,
} from "@/bridge";
import { Checklist } from "@/components/checklist";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { Foldable, FurtherResponse } from "@/components/foldable";
import { MissingParts } from "@/components/missing-parts";
import type { Done } from "@/components/operation-screen";
import { Outcome } from "@/components/outcome";
import { FileFacts, SavedFile } from "@/components/saved-file";
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
			<InventoryNotice inventory={done.report.inventory} />
			<FurtherResponse lines={done.report.further} />
			<ExcludedItemsChecklist site={site} record={done.record} />
		</Stack>
	);
}

/** Contents of the inventory of an export, and its missing parts. */
function InventoryNotice({ inventory }: { inventory: InventorySummary | null }) {
	const { t } = useTranslation("exportServer");
	const { t: shared } = useTranslation("run", { keyPrefix: "inventory" });
	if (inventory === null) return <Text>{shared("skipped")}</Text>;
	const { services, webhooks, dataItems, missing } = inventory;
	return (
		<Stack gap="xs" component="section" aria-label={shared("title")}>
			<Text>{t("inventory", { services, webhooks, items: dataItems })}</Text>
			<MissingParts missing={missing} />
		</Stack>
	);
}

interface PartProps extends ReportProps {
	outcome: Extract<ExportOutcome, { location: string }>;
}

function OnServer(props: PartProps) {
	const { t } = useTranslation("exportServer");
	const { site, done, outcome } = props;
	const { count, about } = useFacts(props);
	const warned = outcome.status === "writtenWithWarnings";
	return (
		<Outcome
			outcome={warned ? "warnings" : "succeeded"}
			title={count > 0 ? t("warnings", { ...about, count }) : t(warned ? "warned" : "written", about)}
		>
			<DoneAt at={done.at} />
			<Stored site={site} outcome={outcome} />
			<Text>{t("verification.onServer")}</Text>
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
	const { count, about } = useFacts(props);
	const missing = file.saving.kind !== "saved";
	const warned = outcome.status === "writtenWithWarnings";
	const isFaulty = !missing && verification !== null && verification.fault !== null;
	const title = missing
		? t("notSaved", about)
		: count > 0
			? t("warnings", { ...about, count })
			: t(warned ? "warned" : file.later ? "savedLater" : "saved", about);
	return (
		<Outcome outcome={missing || warned || isFaulty ? "warnings" : "succeeded"} title={title}>
			<DoneAt at={done.at} />
			<SavedFile file={file} isFaulty={isFaulty} />
			{missing ? null : verification === null ? (
				<Text>{t("verification.skipped")}</Text>
			) : (
				<Verification verification={verification} />
			)}
			{missing ? <Text>{t("stored")}</Text> : null}
			<Stored site={site} outcome={outcome} />
		</Outcome>
	);
}

function Stored({ site, outcome }: Pick<PartProps, "site" | "outcome">) {
	const { t } = useTranslation("exportServer");
	const { isUrl } = outcome;
	return (
		<>
			{outcome.location ? (
				<CopyField
					label={t("file")}
					value={outcome.location}
					copyLabel={t(isUrl ? "copyUrl" : "copyPath")}
					isPath={!isUrl}
				/>
			) : (
				<Text>{t("noLocation")}</Text>
			)}
			{isLocal(site) && outcome.location && !isUrl ? <FileFacts path={outcome.location} /> : null}
			<WarningList title={t("warningsTitle")} messages={warningsOf(outcome)} />
		</>
	);
}

function useFacts({ site, done, outcome }: PartProps) {
	const target = useTargetNameOf("export_server", site);
	const took = formatDuration(done.took);
	return { count: warningsOf(outcome).length, about: { site: target, took } };
}

function warningsOf(outcome: PartProps["outcome"]): readonly string[] {
	return outcome.status === "writtenWithWarnings" ? outcome.messages : [];
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

/** Shown before an export. */
export function ExcludedItems({ site }: { site: SiteView }) {
	const { t } = useTranslation("exportServer");
	return (
		<Foldable title={t("left")}>
			<Text mb="xs">{t("leftNote")}</Text>
			<Lines lines={partsOf(site).map((part) => t(`excluded.${part}`))} />
		</Foldable>
	);
}

/** Shown after an export. */
function ExcludedItemsChecklist({ site, record }: { site: SiteView; record: RecordId | null }) {
	const { t } = useTranslation("exportServer");
	const items = partsOf(site).map((part) => ({
		id: part,
		label: t(`excluded.${part}`),
		hint: t(`excludedHint.${part}`),
	}));
	return <Checklist record={record} title={t("left")} note={t("leftNote")} items={items} />;
}
