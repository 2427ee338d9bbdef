import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ExportPortalForm, Parameter, PortalExportReport, PortalInventory, RecordId, SiteView } from "@/bridge";
import { Checklist } from "@/components/checklist";
import { DoneAt } from "@/components/done-at";
import { ExportFile, InventoryFact, useExportTitle, warningsOf } from "@/components/export-result";
import { Foldable, FurtherResponse } from "@/components/foldable";
import type { Done } from "@/components/operation-screen";
import { FactList, Outcome } from "@/components/outcome";
import { destinationIn, noPortalStore, type PortalDestinationValues, storeOf } from "@/components/portal-destination";
import { WarningList } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { formatDuration, formatNumber, isLocal } from "@/lib/format";
import { parameterOf } from "@/lib/history-text";

interface ReportProps {
	site: SiteView;
	done: Done<PortalExportReport, ExportPortalForm>;
	exportNow: (form: ExportPortalForm) => void;
}

export function Report({ site, done, exportNow }: ReportProps) {
	const { t } = useTranslation("exportPortal");
	const titleOf = useExportTitle();
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
	const messages = warningsOf(outcome);
	return (
		<Stack gap="lg">
			<Outcome
				outcome={outcome.status === "written" ? "succeeded" : "warnings"}
				title={titleOf(outcome, { site: site.name, took })}
			>
				<DoneAt at={done.at} />
				{form.checkOnly ? <Text>{t("checkExported")}</Text> : null}
				<FactList>
					<ExportFile
						name={t("file")}
						outcome={outcome}
						isHere={isLocal(site)}
						isPointer={form.target.kind !== "folder"}
					/>
					<Inventory inventory={inventory} />
				</FactList>
				<WarningList title={t("warningsTitle")} messages={messages} />
				<FurtherResponse lines={further} />
			</Outcome>
			<ExcludedItem record={done.record} target={form.target.kind} />
		</Stack>
	);
}

/** Checklist of what a portal export does not include. */
function ExcludedItem({ record, target }: { record: RecordId | null; target: ExportPortalForm["target"]["kind"] }) {
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

const parts = ["items", "users", "groups", "collaborations"] as const;

/** Line of a result: contents of the portal after an export, as far as the user can see them. */
function Inventory({ inventory }: { inventory: PortalInventory | null }) {
	const { t } = useTranslation("exportPortal", { keyPrefix: "inventory" });
	const { t: partName } = useTranslation("run", { keyPrefix: "inventory.part" });
	const counted = parts.flatMap((part) => {
		const number = inventory?.[part] ?? null;
		return number === null ? [] : [t("count", { part: partName(part), number })];
	});
	return (
		<InventoryFact missing={inventory?.missing ?? null}>
			{counted.length === 0 ? null : <Text>{t("taken")}</Text>}
			<Group gap="lg">
				{counted.map((line) => (
					<Text key={line}>{line}</Text>
				))}
			</Group>
			{inventory === null || inventory.itemsByType.length === 0 ? null : (
				<Foldable title={t("byType")}>
					<Table aria-label={t("byType")} w="auto">
						<Heads of={[t("column.type"), [t("column.items"), { ta: "end" }]]} />
						<Table.Tbody>
							{inventory.itemsByType.map(({ type, count }) => (
								<Table.Tr key={type}>
									<Table.Td>{type}</Table.Td>
									<Table.Td ta="end">{formatNumber(count)}</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
				</Foldable>
			)}
		</InventoryFact>
	);
}

export interface Values extends Omit<PortalDestinationValues, "kind"> {
	/** Destination. `portal`: a directory that the portal chooses. */
	kind: PortalDestinationValues["kind"] | "portal";
	location: string;
	reason: string;
}

export const empty: Values = { ...noPortalStore, location: "", reason: "" };

export function request(values: Values, checkOnly: boolean): ExportPortalForm {
	const { kind, location } = values;
	if (kind === "portal") return { target: { kind }, checkOnly };
	return { target: { ...(storeOf({ ...values, kind }) ?? { kind: "folder" }), location }, checkOnly };
}

/** Returns a sent form without the account key, which must not stay in memory. */
export function withoutKey(form: ExportPortalForm): ExportPortalForm {
	return form.target.kind === "blob" ? { ...form, target: { ...form.target, accountKey: "" } } : form;
}

/** Returns the values of an earlier request. The history does not contain the account key. */
export function valuesOf(sent: readonly Parameter[]): Values {
	const destination = destinationIn(sent);
	const location = parameterOf(sent, "location");
	const isOfPortal = destination.kind === "folder" && location === "";
	return { ...empty, ...destination, kind: isOfPortal ? "portal" : destination.kind, location };
}

/** Returns the folder of an export; empty for the directory of the portal. */
export const folderOf = ({ target }: ExportPortalForm): string => (target.kind === "portal" ? "" : target.location);
