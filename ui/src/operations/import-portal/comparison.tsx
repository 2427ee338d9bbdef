import { Stack, Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CountRow, PortalExportComparison, PortalImportEffect, Problem } from "@/bridge";
import { ChangesSince } from "@/components/changes-since";
import { Foldable } from "@/components/foldable";
import { MissingParts } from "@/components/missing-parts";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { Lines, Time } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { formatNumber } from "@/lib/format";

/** Differences that an import of the selected export would cause. */
export function ComparisonNotice({ query }: { query: UseQueryResult<PortalExportComparison, Problem> }) {
	const { t } = useTranslation("importPortal");
	if (query.isLoading) return <LoadingRows rows={2} height={20} />;
	if (query.error) return <ProblemNotice problem={query.error} onRetry={() => void query.refetch()} />;
	if (!query.data) return null;
	const { comparison, exportVersion, portalVersion, otherUrl, otherSite, inventory, changes } = query.data;
	const isOther = exportVersion !== null && portalVersion !== null && exportVersion !== portalVersion;
	return (
		<Stack gap="xs" align="flex-start" component="section" aria-label={t("comparison.title")}>
			{isOther ? (
				<Text fw={600}>{t("comparison.otherVersion", { export: exportVersion, portal: portalVersion })}</Text>
			) : null}
			{otherSite == null ? null : <Text mod="anywhere">{t("comparison.otherSite", { site: otherSite })}</Text>}
			{otherUrl == null ? null : <Text mod="anywhere">{t("comparison.otherUrl", { export: otherUrl })}</Text>}
			{comparison === null ? (
				<Text>{t("comparison.none")}</Text>
			) : (
				<>
					<Text fw={600}>{t(`comparison.${verdictOf(comparison.rows)}`)}</Text>
					<Text component="div">
						{t("comparison.taken")} <Time at={comparison.exportedAt} relative />
					</Text>
					<CountTable rows={comparison.rows} label={t("comparison.title")} portal={t("comparison.now")} />
				</>
			)}
			<MissingParts missing={inventory.missing} />
			{changes.count > 0 ? (
				<ChangesSince changes={changes} title={t("comparison.since", { count: changes.count })} />
			) : null}
		</Stack>
	);
}

/** Effects of an import, regardless of the file. */
export function Effects({ effects }: { effects: readonly PortalImportEffect[] }) {
	const { t } = useTranslation("importPortal");
	return (
		<Foldable title={t("effectsTitle")}>
			<Lines spacing={4} lines={effects.map((effect) => t(`effect.${effect}`))} />
		</Foldable>
	);
}

/** Compares a portal with an export. An uncounted number is not equal. */
export function verdictOf(rows: readonly CountRow[]): "equal" | "differs" | "uncounted" {
	if (rows.some(differs)) return "differs";
	return rows.some(({ portal, export: exported }) => portal === null && exported !== null) ? "uncounted" : "equal";
}

function differs({ portal, export: exported }: CountRow): boolean {
	return portal !== null && exported !== null && portal !== exported;
}

interface CountTableProps {
	rows: readonly CountRow[];
	label: string;
	/** Heading of the column with the numbers of the portal. */
	portal: string;
}

/** Totals and differing item types, in the portal and in the export. */
export function CountTable({ rows, label, portal }: CountTableProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "comparison" });
	const { t: parts } = useTranslation("run", { keyPrefix: "inventory" });
	const shown = rows.filter((row) => row.part.kind !== "itemsOfType" || differs(row));
	const number = (count: number | null) => (count === null ? t("unknown") : formatNumber(count));
	const nameOf = ({ part }: CountRow) =>
		part.kind === "itemsOfType" ? t("ofType", { name: part.name }) : parts(`part.${part.kind}`);
	return (
		<Table aria-label={label} w="auto">
			<Heads of={[t("part"), [portal, { ta: "end" }], [t("inExport"), { ta: "end" }]]} />
			<Table.Tbody>
				{shown.map((row) => (
					<Table.Tr key={nameOf(row)} fw={differs(row) ? 600 : 400}>
						<Table.Td>{nameOf(row)}</Table.Td>
						<Table.Td ta="end">{number(row.portal)}</Table.Td>
						<Table.Td ta="end">{number(row.export)}</Table.Td>
					</Table.Tr>
				))}
			</Table.Tbody>
		</Table>
	);
}
