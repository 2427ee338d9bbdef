import { Box, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ItemRow, SiteId } from "@/bridge";
import { useDraft } from "@/lib/drafts";
import { useFillHeight } from "@/lib/use-fill-height";
import { type ColumnChoice, gridStyle, shownColumns, usualColumns } from "./columns";
import { GridRow, rowHeight } from "./grid-row";
import classes from "./item-grid.module.css";
import { columnsName } from "./use-kept";

/** What came first of a long answer. It can only be read: the table takes its place when all of it is there. */
export function FirstToCome({ site, rows }: { site: SiteId; rows: readonly ItemRow[] }) {
	const { t } = useTranslation("findItems");
	const frame = useRef<HTMLDivElement>(null);
	const height = useFillHeight(frame);
	const choice = useDraft<ColumnChoice>(columnsName(site)).kept ?? usualColumns;
	const columns = shownColumns(choice);
	return (
		<Stack gap="xs">
			<Text size="sm" c="dimmed" role="status">
				{t("arriving")}
			</Text>
			<Box
				ref={frame}
				className={classes.frame ?? ""}
				role="grid"
				aria-label={t("table")}
				aria-busy
				inert
				style={{ ...gridStyle(choice), overflow: "hidden" }}
				mah={height}
			>
				<Box className={`${classes.row} ${classes.head}`} role="row">
					{columns.map((column) => (
						<Box key={column} className={classes.sort ?? ""} role="columnheader">
							<span className={classes.title}>{t(`column.${column}`)}</span>
						</Box>
					))}
				</Box>
				<Box className={classes.body ?? ""} role="rowgroup" h={rows.length * rowHeight}>
					{rows.map((row, index) => (
						<GridRow
							key={row.item}
							row={row}
							index={index}
							start={index * rowHeight}
							columns={columns}
							takesFocus={false}
						/>
					))}
				</Box>
			</Box>
		</Stack>
	);
}
