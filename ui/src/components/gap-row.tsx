import { Table } from "@mantine/core";
import type { Gap } from "@/bridge";
import { useGapText } from "@/lib/gap-text";

interface GapRowProps {
	gap: Gap;
	/** The folder or collaboration; empty for the whole list. */
	of: string;
	columns: number;
}

/** In a table, says what a site did not return of it. */
export function GapRow({ gap, of, columns }: GapRowProps) {
	const gapText = useGapText();
	return (
		<Table.Tr>
			<Table.Td colSpan={columns} mod="anywhere">
				{gapText(gap, of)}
			</Table.Td>
		</Table.Tr>
	);
}
