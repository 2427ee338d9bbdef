import { Box, Group, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ItemRow, SiteId } from "@/bridge";
import { StopButton } from "@/components/stop-button";
import { Heading } from "@/components/text";
import { useDraft } from "@/lib/drafts";
import type { NamedRun } from "@/lib/run-name";
import { useFillHeight } from "@/lib/use-fill-height";
import { gridStyle, shownColumns, usualColumns } from "./columns";
import { GridRow, rowHeight } from "./grid-row";
import classes from "./item-grid.module.css";
import { columnsOf } from "./kept";

interface FirstToComeProps {
	site: SiteId;
	rows: readonly ItemRow[];
	run: NamedRun;
}

/** First rows of a large response, read-only. The table replaces them when the response is complete. */
export function FirstToCome({ site, rows, run }: FirstToComeProps) {
	const { t } = useTranslation(["findItems", "run", "common"]);
	const frame = useRef<HTMLDivElement>(null);
	const height = useFillHeight(frame);
	const choice = useDraft(columnsOf(site)).kept ?? usualColumns;
	const columns = shownColumns(choice);
	const inSight = rows.slice(0, Math.ceil(height / rowHeight));
	return (
		<Stack gap="sm">
			<Group justify="space-between" align="flex-start" gap="sm">
				<Stack gap={0} miw={0} flex="1 1 240px" role="status">
					<Heading>{t("common:step.arriving")}</Heading>
					<Text c="dimmed">{t("arriving")}</Text>
				</Stack>
				<StopButton run={run} />
			</Group>
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
				<Box className={classes.body ?? ""} role="rowgroup" h={inSight.length * rowHeight}>
					{inSight.map((row, index) => (
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
