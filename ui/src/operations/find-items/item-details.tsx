import { Drawer, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ItemRow, SearchId, Target } from "@/bridge";
import { LoadingRows } from "@/components/loading-rows";
import { ProblemNotice } from "@/components/problem-notice";
import { useItemDetails } from "@/lib/queries/items";
import { useHeld } from "@/lib/use-held";
import { ItemSheet } from "./item-sheet";

interface ItemDetailsProps {
	target: Target;
	search: SearchId;
	/** `null` closes the drawer. */
	row: ItemRow | null;
	onClose: () => void;
}

export function ItemDetails({ target, search, row: chosen, onClose }: ItemDetailsProps) {
	const { t } = useTranslation("findItems");
	const row = useHeld(chosen, chosen === null);
	const item = row?.item ?? null;
	const details = useItemDetails(target, search, item, chosen !== null);
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
