import { Drawer, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ItemRow, type SearchId, type Target, useBackend } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { queryKeys } from "@/lib/queries";
import { useStale } from "@/lib/stale";
import { useHeld } from "@/lib/use-held";
import { ItemSheet } from "./item-sheet";

interface ItemDetailsProps {
	target: Target;
	search: SearchId;
	/** What the table says of it; `null` when none is open. */
	row: ItemRow | null;
	onClose: () => void;
}

/** Everything the site said of one item. */
export function ItemDetails({ target, search, row: chosen, onClose }: ItemDetailsProps) {
	const { t } = useTranslation("findItems");
	const backend = useBackend();
	const stale = useStale();
	const row = useHeld(chosen, chosen === null);
	const item = row?.item ?? null;
	const details = useQuery({
		queryKey: [...queryKeys.itemRows(target, search), "details", item],
		queryFn: async () => {
			const opened = await backend.itemDetails(target, search, item ?? 0);
			void stale("itemDetails");
			return opened;
		},
		enabled: chosen !== null,
	});
	return (
		<Drawer
			opened={chosen !== null}
			onClose={onClose}
			position="right"
			size="lg"
			title={details.data ? t("details", { name: details.data.name }) : t("detailsPending")}
			closeButtonProps={{ "aria-label": t("close") }}
		>
			<Stack>
				{details.error ? (
					<ProblemNotice problem={details.error} onRetry={() => void details.refetch()} />
				) : details.data && row ? (
					<ItemSheet
						key={row.item}
						target={target}
						search={search}
						place={row.item}
						location={row.location}
						item={details.data}
					/>
				) : (
					<LoadingRows />
				)}
			</Stack>
		</Drawer>
	);
}
