import { Group, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
	type BatchItemResult,
	type BatchResult,
	type Millis,
	type Outcome as RecordedOutcome,
	type SiteView,
	useBackend,
} from "@/bridge";
import { mayBeSentAgain, worstFirst } from "@/lib/batch-status";
import { useProblemSummary } from "@/lib/problem-text";
import { tableName } from "@/lib/target";
import { useReadOnly } from "@/lib/use-read-only";
import { DoneAt } from "./done-at";
import { Outcome, OutcomeBadge } from "./outcome";
import { SaveTable } from "./saved-file";
import { Pages, usePages } from "./searched-list";
import { Small } from "./text";
import { Heads, WideTable } from "./wide-table";

type Column<F, T> = [heading: string, value: (asked: F, part: BatchItemResult<T>) => string];

interface BatchReportProps<F, T> {
	site: SiteView;
	at: Millis;
	asked: readonly F[];
	report: BatchResult<T>;
	/** What to say of an item that was processed; `null` for nothing. */
	remarkOf?: (report: T) => string | null;
	title: string;
	/** Advice shown if the outcome of an item is unknown. */
	lost: string;
	children?: ReactNode;
	/** Shown between the outcome and the table. */
	above?: ReactNode;
	table: {
		label: string;
		pages: string;
		/** Headings before the result column. */
		headings: readonly string[];
		keyOf: (asked: F) => string;
		cells: (asked: F, part: BatchItemResult<T>) => ReactNode;
	};
	/** Saved table: `what` is part of its name; `before` and `after` are the columns around the result. */
	file: { what: string; server?: string | null; before: readonly Column<F, T>[]; after: readonly Column<F, T>[] };
	/** Selects the items that can be sent again. By default, these are all items that certainly had no effect. */
	mayFollow?: (part: BatchItemResult<T>) => boolean;
	/** Button that sends the remaining items. */
	again: (rest: readonly F[]) => ReactNode;
}

/** Result of each item of a batch, the worst first. */
export function BatchReport<F, T>(props: BatchReportProps<F, T>) {
	const { site, at, asked, report, title, lost, children, above, table, file, again } = props;
	const { t } = useTranslation("run");
	const { t: common } = useTranslation("common");
	const backend = useBackend();
	const problemText = useProblemSummary();
	const readOnly = useReadOnly(site);
	const name = tableName({ siteName: site.name, serverName: file.server ?? null }, file.what, at);
	const { parts, stopped, outcome } = report;
	const { mayFollow, remarkOf } = props;
	const rest = mayFollow ? asked.filter((_, at) => parts[at] && mayFollow(parts[at])) : mayBeSentAgain(asked, parts);
	const outcomeOfPart = (part: BatchItemResult<T>) => (part.kind === "done" ? part.outcome : outcomes[part.kind]);
	const reasonOf = (part: BatchItemResult<T>) => {
		if (part.kind === "done") return remarkOf?.(part.report) ?? "";
		return "problem" in part && part.problem ? problemText(part.problem) : "";
	};
	const ends = worstFirst(asked, parts);
	const pages = usePages(ends);
	const columns: Column<F, T>[] = [
		...file.before,
		[
			t("batch.result"),
			(_, part) => {
				const end = outcomeOfPart(part);
				return end === outcomes[part.kind] ? t(`batch.end.${part.kind}`) : common(`outcome.${end}`);
			},
		],
		[t("batch.reason"), (_, part) => reasonOf(part)],
		...file.after,
	];
	const rows = () => ends.map(({ asked, part }) => columns.map(([, value]) => value(asked, part)));
	return (
		<Stack>
			<Outcome outcome={outcome === "sent" ? "unknown" : outcome} title={title}>
				<DoneAt at={at} />
				{stopped ? <Text>{t("batch.stopped")}</Text> : null}
				{outcome === "unknown" ? <Text>{lost}</Text> : null}
				{children}
			</Outcome>
			{above}
			<WideTable label={table.label} head={<Heads of={[...table.headings, [t("batch.result"), { w: "30%" }]]} />}>
				{pages.shown.map(({ asked, part }) => (
					<Table.Tr key={table.keyOf(asked)}>
						{table.cells(asked, part)}
						<Table.Td>
							<BatchItemEnd kind={part.kind} outcome={outcomeOfPart(part)} reason={reasonOf(part)} />
						</Table.Td>
					</Table.Tr>
				))}
			</WideTable>
			<Pages handle={pages} label={table.pages} />
			<Group align="flex-start">
				{rest.length > 0 && !readOnly ? again(rest) : null}
				<SaveTable
					label={t("batch.save")}
					save={() => backend.saveTable(name, [columns.map(([heading]) => heading), ...rows()])}
				/>
			</Group>
		</Stack>
	);
}

const outcomes = { done: "succeeded", rejected: "failed", unknown: "unknown", notSent: "notSent" } as const;

interface BatchItemEndProps {
	kind: BatchItemResult<unknown>["kind"];
	outcome: RecordedOutcome;
	reason: string;
}

function BatchItemEnd({ kind, outcome, reason }: BatchItemEndProps) {
	const { t } = useTranslation("run");
	return (
		<Stack gap={2} align="flex-start">
			<OutcomeBadge outcome={outcome} />
			{reason ? <Small mod="anywhere">{reason}</Small> : null}
			{kind === "unknown" ? <Small>{t("batch.look")}</Small> : null}
		</Stack>
	);
}
