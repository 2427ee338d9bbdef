import { Table } from "@mantine/core";
import type { Gap } from "@/bridge";
import { useGapText } from "@/lib/gap-text";

interface GapRowProps {
	gap: Gap;
	/** Folder or collaboration; empty for the whole list. */
	of: string;
}

/** Table row that states what a site left out of the list. */
export function GapRow({ gap, of }: GapRowProps) {
	const gapText = useGapText();
	return (
		<Table.Tr>
			<Table.Td colSpan={4} mod="anywhere">
				{gapText(gap, of)}
			</Table.Td>
		</Table.Tr>
	);
}
