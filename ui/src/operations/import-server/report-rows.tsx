import { Box, Title } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Row } from "./lines";
import { ReportLine } from "./report-line";
import classes from "./report-rows.module.css";

/** Up to here everything stands on the page; beyond, only what can be seen is drawn. */
const few = 200;

interface RowsProps {
	rows: readonly Row[];
	/** Of lines that are open. */
	opened: ReadonlySet<string>;
	onToggle: (id: string) => void;
}

export function ReportRows({ rows }: Pick<RowsProps, "rows">) {
	// Kept above the rows: one that leaves the view is not drawn any more.
	const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
	const toggle = (id: string) => {
		const next = new Set(opened);
		if (!next.delete(id)) next.add(id);
		setOpened(next);
	};
	const Rows = rows.length > few ? Many : Few;
	return <Rows rows={rows} opened={opened} onToggle={toggle} />;
}

function Few({ rows, opened, onToggle }: RowsProps) {
	return (
		<Box>
			{rows.map((row) => (
				<OneRow key={row.id} row={row} opened={opened.has(row.id)} onToggle={onToggle} />
			))}
		</Box>
	);
}

function Many({ rows, opened, onToggle }: RowsProps) {
	const { t } = useTranslation("importServer");
	const frame = useRef<HTMLDivElement>(null);
	const drawn = useVirtualizer({
		count: rows.length,
		getScrollElement: () => frame.current,
		estimateSize: (index) => (rows[index]?.kind === "source" ? 44 : 42),
		// A row that was measured keeps its height when the filter moves it.
		getItemKey: (index) => rows[index]?.id ?? index,
		overscan: 6,
	});
	return (
		// What scrolls must be reached by the keyboard.
		<Box ref={frame} className={classes.frame ?? ""} role="group" aria-label={t("messages")} tabIndex={0}>
			<Box className={classes.body ?? ""} h={drawn.getTotalSize()}>
				{drawn.getVirtualItems().map(({ index, start, key }) => {
					const row = rows[index];
					if (!row) return null;
					return (
						<Box
							key={key}
							ref={drawn.measureElement}
							data-index={index}
							className={classes.row ?? ""}
							style={{ transform: `translateY(${start}px)` }}
						>
							<OneRow row={row} opened={opened.has(row.id)} onToggle={onToggle} />
						</Box>
					);
				})}
			</Box>
		</Box>
	);
}

function OneRow({ row, opened, onToggle }: { row: Row; opened: boolean; onToggle: RowsProps["onToggle"] }) {
	const { t } = useTranslation("importServer");
	if (row.kind === "source") {
		return (
			<Title order={2} size="h5" pt="sm" pb="xs" style={{ overflowWrap: "anywhere" }}>
				{row.source || t("unnamedSource")}
			</Title>
		);
	}
	return (
		<Box pb={6}>
			<ReportLine line={row.line} opened={opened} onToggle={onToggle} />
		</Box>
	);
}
