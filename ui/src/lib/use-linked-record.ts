import { useEffect } from "react";
import { type HistoryEntry, useBackend } from "@/bridge";
import { useNavigation } from "./navigation";

/** Opens the record that somebody was led to the history for. One that is gone leaves the list as it is. */
export function useLinkedRecord(open: (entry: HistoryEntry) => void): void {
	const backend = useBackend();
	const { place } = useNavigation();
	useEffect(() => {
		if (place.page !== "history" || place.record === undefined) return;
		let wanted = true;
		backend.recordDetails(place.record).then(
			({ entry }) => {
				if (wanted) open(entry);
			},
			() => {},
		);
		return () => {
			wanted = false;
		};
	}, [backend, place, open]);
}
