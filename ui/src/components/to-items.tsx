import { Anchor } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import type { Parameter, RecordId, SiteId } from "@/bridge";
import { useBring } from "@/lib/brought";
import { useNavigation } from "@/lib/navigation";

interface ToItemsProps {
	site: SiteId;
	/** Of the import whose report is shown; `null` where there is none, or the history does not have it. */
	record: RecordId | null;
	filter: Parameter;
	/** The words by which it is seen among what is found. */
	narrow: string;
	children: string;
}

/** Leads to data store items. */
export function ToItems({ site, record, filter, narrow, children }: ToItemsProps) {
	const { place, putInPlace } = useNavigation();
	const bring = useBring();
	const find = () => {
		// The history shows a report without a place of its own, and Back leads to it.
		if (place.page === "history" && record !== null) putInPlace({ page: "history", record, report: true });
		bring(site, "find_items", { parameters: [filter], sentAt: null, narrow });
	};
	return (
		<Anchor component="button" type="button" size="sm" ta="start" style={{ overflowWrap: "anywhere" }} onClick={find}>
			<IconDatabase size={14} aria-hidden style={{ verticalAlign: "-2px", marginInlineEnd: 6 }} />
			{children}
		</Anchor>
	);
}
