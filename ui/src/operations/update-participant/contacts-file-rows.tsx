import { Group, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconEqual } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ContactsFileRow } from "@/bridge";
import { Heads, TwoLines, WideTable } from "@/components/wide-table";
import { formatNumber } from "@/lib/format";
import { useVerdictText } from "./contacts-file-text";
import { DifferenceLines } from "./difference";

/** Rows of a contacts file, each with its participant and its changes, or the reason why it has none. */
export function ContactsFileRows({ rows }: { rows: readonly ContactsFileRow[] }) {
	const { t } = useTranslation("updateParticipant");
	return (
		<WideTable
			label={t("fileTable")}
			head={<Heads of={[[t("line"), { w: 70, ta: "end" }], [t("participant"), { w: "32%" }], t("whatChanges")]} />}
		>
			{rows.map((row) => (
				<Table.Tr key={row.line}>
					<Table.Td ta="end" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
						{formatNumber(row.line)}
					</Table.Td>
					{row.participant ? (
						<TwoLines main={row.participant.portalName} second={row.participant.collaborationName} />
					) : (
						<TwoLines main={row.named || t("unnamed")} />
					)}
					<Table.Td mod="anywhere">
						<What row={row} />
					</Table.Td>
				</Table.Tr>
			))}
		</WideTable>
	);
}

function What({ row }: { row: ContactsFileRow }) {
	const words = useVerdictText()(row.verdict);
	if (words === null && row.participant) return <DifferenceLines present={row.participant} wanted={row.contact} />;
	const same = row.verdict.kind === "same";
	const Icon = same ? IconEqual : IconAlertTriangle;
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start">
			<Icon
				size={16}
				aria-hidden
				style={{ marginBlockStart: 2 }}
				color={same ? "var(--mantine-color-dimmed)" : "var(--tone-warnings)"}
			/>
			<Text {...(same ? { c: "dimmed" } : {})}>{words}</Text>
		</Group>
	);
}
