import { Box, Button, Group, Mark, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Fragment, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Compared, DifferenceView, FieldView, Key, Kind, SiteView } from "@/bridge";
import { Board } from "@/components/board";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { SubmitForm } from "@/components/submit-form";
import { LinkButton, Small } from "@/components/text";
import { Heads } from "@/components/wide-table";
import { useFormFaults } from "@/lib/drafts";
import { formatTime } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useComparedFields } from "@/lib/queries/changes";
import { useCommand } from "@/lib/use-command";
import { useFillHeight } from "@/lib/use-fill-height";
import { useVirtualRows } from "@/lib/use-virtual-rows";
import { DifferenceRow, noValue, placed, type Titles } from "./difference-row";

/** Rows up to this number are all rendered. More rows are in a frame that scrolls, and only the visible ones are rendered. */
const maxRendered = 200;
/** Height of the column headings, which stay in view, in pixels. */
const headHeight = 29;
/** Heights before a row is measured, in pixels. Facts of a row are below each other in a narrow window. */
const heightOf = (kind: Line["kind"]) => ({ group: 29, row: window.innerWidth > 1000 ? 49 : 134, opened: 240 })[kind];

type Line = { id: string } & (
	| { kind: "group"; of: Kind }
	| { kind: "row"; difference: DifferenceView }
	| { kind: "opened"; difference: DifferenceView }
);

const idOf = (key: Key) => JSON.stringify([key.kind, key.place, key.name]);

/** Returns the rows of the table: kinds, the differences of each, and what a difference opens to. */
function linesOf(shown: readonly DifferenceView[], opened: string | null): Line[] {
	return shown.flatMap((difference, place) => {
		const { kind } = difference.key;
		const id = idOf(difference.key);
		const lines: Line[] = shown[place - 1]?.key.kind === kind ? [] : [{ kind: "group", id: kind, of: kind }];
		lines.push({ kind: "row", id, difference });
		if (id === opened) lines.push({ kind: "opened", id: `opened ${id}`, difference });
		return lines;
	});
}

interface DifferenceTableProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	shown: readonly DifferenceView[];
	isHistoryKnown: boolean;
}

/** Differences by kind. Tab stops at one row, arrow keys move to the others. */
export function DifferenceTable({ site, compared, titles, shown, isHistoryKnown }: DifferenceTableProps) {
	const { t } = useTranslation(["changes", "common"]);
	const frame = useRef<HTMLDivElement>(null);
	const height = useFillHeight(frame);
	const [opened, open] = useState<string | null>(null);
	const [active, setActive] = useState(0);
	const follows = useRef(false);
	const hasFocus = useRef(false);
	const lines = useMemo(() => linesOf(shown, opened), [shown, opened]);
	const stop = rowAt(lines, active);
	const hasFrame = lines.length > maxRendered;
	const virtual = useVirtualRows({
		count: hasFrame ? lines.length : 0,
		scroller: () => frame.current,
		rowHeight: (index) => heightOf(lines[index]?.kind ?? "row"),
		keyOf: useCallback((index: number) => lines[index]?.id ?? index, [lines]),
		active: [stop, lines.findIndex(({ kind }) => kind === "opened")],
		covered: { start: headHeight, end: 0 },
	});
	const measure = hasFrame ? virtual.measureElement : null;
	const turn = useCallback((key: Key) => open((before) => (before === idOf(key) ? null : idOf(key))), []);
	useEffect(() => {
		// A row that is accepted leaves the table, and the focus would be lost with it.
		const isGone = lines.length > 0 && hasFocus.current && document.activeElement === document.body;
		const row = follows.current || isGone ? frame.current?.querySelector(`[data-index="${stop}"]`) : null;
		row?.querySelector("button")?.focus({ preventScroll: true });
		// Rows on the way are measured only then, and would move it out of view again.
		if (row && hasFrame) virtual.scrollToIndex(stop);
		else row?.scrollIntoView({ block: "nearest" });
		follows.current = false;
	}, [lines, stop, hasFrame, virtual]);

	const move = (event: KeyboardEvent<HTMLElement>) => {
		const index = indexOf(event.target);
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -lines.length, End: lines.length }[
			event.key
		];
		if (index === null || step === undefined) return;
		event.preventDefault();
		follows.current = true;
		setActive(rowAt(lines, index + step, Math.sign(step)));
	};
	const heads = [t("change"), t("what"), titles.from, titles.to];
	heads.push(...(titles.sides === null ? [t("firstSeen"), t("by"), ""] : [t("lastChanged"), ""]));
	const all = lines.map((_, index) => ({ index, start: 0, end: 0 }));
	const drawn = hasFrame ? virtual.getVirtualItems() : all;
	const below = hasFrame ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0;
	return (
		<Box
			onKeyDown={move}
			onFocus={({ target }) => {
				hasFocus.current = true;
				setActive((before) => indexOf(target) ?? before);
			}}
			onBlur={({ relatedTarget }) => {
				if (relatedTarget) hasFocus.current = false;
			}}
		>
			<Board
				label={t("title")}
				heads={heads}
				kind="changes"
				role="grid"
				rowCount={hasFrame ? lines.length + 1 : undefined}
				frame={{ ref: frame, height: hasFrame ? height : null }}
			>
				{drawn.map(({ index, start }, place) => {
					const line = lines[index];
					if (!line) return null;
					return (
						<Fragment key={line.id}>
							<Space height={start - (drawn[place - 1]?.end ?? 0)} />
							{line.kind === "group" ? (
								<Table.Tr {...placed(index, measure)}>
									<Table.Th colSpan={heads.length} scope="rowgroup">
										{t(`common:changesFile.kinds.${line.of}`)}
									</Table.Th>
								</Table.Tr>
							) : null}
							{line.kind === "row" ? (
								<DifferenceRow
									titles={titles}
									difference={line.difference}
									isHistoryKnown={isHistoryKnown}
									opened={idOf(line.difference.key) === opened}
									isStop={index === stop}
									onOpen={turn}
									index={index}
									measure={measure}
								/>
							) : null}
							{line.kind === "opened" ? (
								<Table.Tr {...placed(index, measure)}>
									<Table.Td colSpan={heads.length}>
										<OpenedDifference site={site} compared={compared} titles={titles} difference={line.difference} />
									</Table.Td>
								</Table.Tr>
							) : null}
						</Fragment>
					);
				})}
				<Space height={below} />
			</Board>
		</Box>
	);
}

/** Room of the rows that are not rendered. */
function Space({ height }: { height: number }) {
	return height > 0 ? <tr aria-hidden style={{ height, border: 0 }} /> : null;
}

/** Returns the index of the row whose button has the focus; `null` for other elements. */
function indexOf(target: EventTarget): number | null {
	const button = target instanceof HTMLElement && target.matches("[aria-expanded]") ? target : null;
	const index = button?.closest("[data-index]")?.getAttribute("data-index");
	return index ? Number(index) : null;
}

/** Returns the index of the row at or after a line in a direction, or else of the nearest one before it. */
function rowAt(lines: readonly Line[], index: number, direction = 1): number {
	const from = Math.min(Math.max(index, 0), lines.length - 1);
	const isRow = (at: number) => lines[at]?.kind === "row";
	for (let at = from; at >= 0 && at < lines.length; at += direction) if (isRow(at)) return at;
	for (let at = from; at >= 0 && at < lines.length; at -= direction) if (isRow(at)) return at;
	return 0;
}

interface OpenedDifferenceProps {
	site: SiteView;
	compared: Compared;
	titles: Titles;
	difference: DifferenceView;
}

/** Fields side by side, and the acceptance with a reason. */
function OpenedDifference({ site, compared, titles, difference }: OpenedDifferenceProps) {
	const { t } = useTranslation("changes");
	const { go } = useNavigation();
	const { key, change, by } = difference;
	const fields = useComparedFields(compared, key);
	const page = pageOf(site, compared, difference);
	const open = useCommand((backend, address: string) => backend.openLink(site.id, address));
	return (
		<Stack gap="xs">
			{fields.isLoading ? <LoadingRows height={32} /> : null}
			{fields.error ? <ProblemNotice problem={fields.error} /> : null}
			{fields.data && change === "differs" ? (
				<Table aria-label={t("fieldsOf", { name: key.name })}>
					<Heads of={[t("field"), titles.from, titles.to]} />
					<Table.Tbody>
						{fields.data.map((field) => (
							<FieldRow key={field.field} field={field} />
						))}
					</Table.Tbody>
				</Table>
			) : null}
			<Group gap="xs" justify="space-between">
				<Acceptance site={site} compared={compared} difference={difference} />
				<Group gap="md">
					{by ? (
						<LinkButton onClick={() => go({ page: "history", record: by.record })}>{t("showEntry")}</LinkButton>
					) : null}
					{page ? <LinkButton onClick={() => open.mutate(page)}>{t("showOnServer")}</LinkButton> : null}
				</Group>
			</Group>
			{open.error ? <ProblemNotice problem={open.error} /> : null}
		</Stack>
	);
}

/** Folders of the administration pages of a server that have a page for each resource. */
const folders: Partial<Record<Kind, string>> = {
	services: "services/",
	dataStoreItems: "data/items",
	machines: "machines/",
};

/** Returns the page of the server about a resource; `null` if there is none, or the resource is not there any more. */
function pageOf(site: SiteView, compared: Compared, { key, change }: DifferenceView): string | null {
	const folder = folders[key.kind];
	const server = site.servers.find(({ id }) => id === key.place);
	if (compared.kind === "between" || change === "missing" || !folder || !server) return null;
	const name = key.name.split("/").map(encodeURIComponent).join("/");
	return `${server.address.replace(/\/+$/, "")}/admin/${folder}${name}`;
}

function FieldRow({ field }: { field: FieldView }) {
	const { t } = useTranslation("changes");
	const value = (text: string | null) => (text ? <Mark>{text}</Mark> : <Text c="dimmed">{noValue(t, field)}</Text>);
	return (
		<Table.Tr>
			<Table.Td mod="anywhere">{field.field}</Table.Td>
			{field.isSecret ? (
				<Table.Td colSpan={2}>{t("secret")}</Table.Td>
			) : (
				<>
					<Table.Td mod="anywhere">{value(field.before)}</Table.Td>
					<Table.Td mod="anywhere">{value(field.after)}</Table.Td>
				</>
			)}
		</Table.Tr>
	);
}

/** Accepts a difference with a reason, or withdraws that. */
function Acceptance({ site, compared, difference: { key, accepted } }: Omit<OpenedDifferenceProps, "titles">) {
	const { t } = useTranslation("changes");
	const form = useForm({ initialValues: { reason: "" } });
	const accept = useCommand(
		(backend, reason: string | null) => backend.acceptDifference(compared, key, reason),
		(stale) => stale("acceptDifference", site.id),
	);
	const refused = useFormFaults(accept.error, form);
	if (accepted) {
		return (
			<Stack gap={4}>
				<Text>{t("acceptedBy", { reason: accepted.reason, at: formatTime(accepted.at), who: accepted.who })}</Text>
				<Button loading={accept.isPending} onClick={() => accept.mutate(null)} style={{ alignSelf: "flex-start" }}>
					{t("withdraw")}
				</Button>
				{refused ? <ProblemNotice problem={refused} /> : null}
			</Stack>
		);
	}
	return (
		<SubmitForm onSubmit={form.onSubmit(({ reason }) => accept.mutate(reason))}>
			<Group gap="xs" align="flex-start">
				<TextInput
					size="xs"
					w={320}
					aria-label={t("reason", { name: key.name })}
					placeholder={t("reasonHint")}
					autoComplete="off"
					{...form.getInputProps("reason")}
				/>
				<Button type="submit" loading={accept.isPending}>
					{t("accept")}
				</Button>
				<Small py={6}>{t("untilItChanges")}</Small>
			</Group>
			{refused ? <ProblemNotice problem={refused} /> : null}
		</SubmitForm>
	);
}
