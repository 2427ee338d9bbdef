import { Button, Checkbox, CloseButton, Group, Menu, Popover, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconColumns3, IconDatabaseOff, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ItemColumn, ItemFormat, ItemQuery, ItemRow, ItemSearchView, SiteView } from "@/bridge";
import { CopyButton } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { MenuButton } from "@/components/menu";
import { Notice, ProblemNotice } from "@/components/notice";
import { EmptyState } from "@/components/page";
import { SearchField } from "@/components/path-field";
import { ShowInFolder } from "@/components/saved-file";
import { Heading, IconButton } from "@/components/text";
import { draftKey, useSessionState } from "@/lib/drafts";
import { useGapText } from "@/lib/gap-text";
import { useFirstRows } from "@/lib/queries/items";
import { serverOf, targetKey } from "@/lib/target";
import { useCommand } from "@/lib/use-command";
import { CheckMenu, Checks, filterText, typeText, useDataUse, useValidation } from "./checks";
import { ItemDetails } from "./item-details";
import { ItemGrid } from "./item-grid";
import { type ColumnChoice, columnsOf, layouts, orderOf, usualColumns, usualOrder } from "./values";

const wordsOf = draftKey<string>();
const typeOf = draftKey<string | null>();

interface ResultsProps {
	site: SiteView;
	search: ItemSearchView;
	actions: ReactNode;
	/** Filter from the link that led here, empty if it names nothing; `null` without a link. */
	narrow: string | null;
}

export function Results({ site, search, actions, narrow }: ResultsProps) {
	const { t } = useTranslation("findItems");
	const gapText = useGapText();
	const filters = filterText(t, search.form);
	const gap = search.gap ? <Notice text={gapText(search.gap, "")} tone="warnings" title={t("incomplete")} /> : null;
	if (search.total === 0) {
		return (
			gap ?? (
				<EmptyState icon={IconDatabaseOff} title={t("none")}>
					{t("noneBody", { filters })}
				</EmptyState>
			)
		);
	}
	return (
		<Stack gap="sm">
			<Group justify="space-between" align="flex-start" gap="sm">
				<Stack gap={0} miw={0} flex="1 1 240px">
					<Heading>{t("found", { count: search.total })}</Heading>
					<Group gap="0 var(--mantine-spacing-xs)">
						<Text c="dimmed" mod="anywhere">
							{t("askedFor", { filters })}
						</Text>
						<DoneAt at={search.at} />
					</Group>
				</Stack>
				<Group gap="xs">{actions}</Group>
			</Group>
			{gap}
			<ItemTable key={search.id} site={site} search={search} narrow={narrow} />
		</Stack>
	);
}

interface ItemTableProps {
	site: SiteView;
	search: ItemSearchView;
	/** Filter from the link that led here, empty if it names nothing; `null` without a link. */
	narrow: string | null;
}

/** Table of found items, with filter, details, checks, and export. */
function ItemTable({ site, search, narrow }: ItemTableProps) {
	const { t } = useTranslation("findItems");
	const target = serverOf(site);
	// The filter belongs to the parameters of a search: repeating the search keeps it.
	const of = `${targetKey(target)} ${JSON.stringify(search.form)}`;
	const [words, setWords] = useSessionState(narrow ? null : wordsOf(of), narrow ?? "");
	const [type, setType] = useSessionState(narrow ? null : typeOf(of), null);
	const [order, setOrder] = useSessionState(orderOf(site.id), usualOrder);
	const [choice, setChoice] = useSessionState(columnsOf(site.id), usualColumns);
	const [opened, setOpened] = useState<ItemRow | null>(null);
	// Reacts to the first letter at once, and during key repeat at intervals.
	const [filter] = useDebouncedValue(words.trim(), 40, { leading: true });
	const query: ItemQuery = { ...order, filter, type };
	const first = useFirstRows(target, search, query);
	const matching = first.data?.matching ?? search.total;
	const narrowed = filter !== "" || type !== null;
	const save = useSaveItems(site, search);
	const validation = useValidation(target, search.id);
	const use = useDataUse(target);
	const checks = { target, search, validation, use };
	const count = t("shown", { shown: matching, count: search.total });
	return (
		<Stack gap="xs">
			{/* Shown until the user changes the filter. */}
			{narrow === null || words !== narrow ? null : (
				<Notice
					text={t(narrow ? "sought.namedBody" : "sought.unnamedBody")}
					tone="unknown"
					title={narrow ? t("sought.named", { words: narrow }) : t("sought.unnamed")}
				/>
			)}
			<Group justify="space-between" gap="xs">
				<Group gap="xs" flex="1 1 370px">
					<SearchFilter search={search} words={words} onWords={setWords} type={type} onType={setType} />
				</Group>
				<Group gap="xs">
					<CheckMenu {...checks} />
					<ColumnMenu choice={choice} onChoice={setChoice} />
					<SaveItems save={save} search={search} query={query} matching={narrowed ? matching : null} />
				</Group>
			</Group>
			<SavedItems save={save} />
			<Checks
				{...checks}
				onShow={(path) => {
					setType(null);
					setWords(path);
				}}
			/>
			<ItemGrid
				target={target}
				search={search}
				query={query}
				first={first}
				choice={choice}
				onOrder={({ column, descending }) => setOrder({ column, descending })}
				onChoice={setChoice}
				onOpen={setOpened}
			/>
			<Text c="dimmed" role="status" mih={20}>
				{narrowed ? (matching === 0 ? t("noMatch") : count) : t("allShown", { count: search.total })}
			</Text>
			<ItemDetails target={target} search={search.id} row={opened} onClose={() => setOpened(null)} />
		</Stack>
	);
}

/** Menu to select columns. At least one column stays. */
export function ColumnMenu({ choice, onChoice }: { choice: ColumnChoice; onChoice: (choice: ColumnChoice) => void }) {
	const { t } = useTranslation("findItems");
	const isLast = (column: ItemColumn) => choice.shown.length === 1 && choice.shown[0] === column;
	return (
		<Popover position="bottom-end" trapFocus returnFocus shadow="md" width={340}>
			<Popover.Target>
				<IconButton label={t("columns")} icon={IconColumns3} />
			</Popover.Target>
			<Popover.Dropdown aria-label={t("columns")}>
				<Stack gap="xs">
					<Checkbox.Group
						aria-label={t("columns")}
						value={choice.shown}
						onChange={(shown) => onChoice({ ...choice, shown: shown as ItemColumn[] })}
					>
						<SimpleGrid cols={2} spacing="sm" verticalSpacing="xs">
							{layouts.map(({ column }) => (
								<Checkbox
									key={column}
									size="xs"
									value={column}
									label={t(`column.${column}`)}
									disabled={isLast(column)}
								/>
							))}
						</SimpleGrid>
					</Checkbox.Group>
					<Button onClick={() => onChoice(usualColumns)}>{t("usualColumns")}</Button>
				</Stack>
			</Popover.Dropdown>
		</Popover>
	);
}

interface SearchFilterProps {
	search: ItemSearchView;
	words: string;
	onWords: (words: string) => void;
	type: string | null;
	onType: (type: string | null) => void;
}

function SearchFilter({ search, words, onWords, type, onType }: SearchFilterProps) {
	const { t } = useTranslation("findItems");
	const types = search.types.filter((one) => one.type !== "");
	return (
		<>
			<SearchField
				size="xs"
				flex="1 1 190px"
				maw={260}
				aria-label={t("filter")}
				placeholder={t("filter")}
				value={words}
				onChange={onWords}
			/>
			{types.length > 1 ? (
				<Select
					size="xs"
					flex="0 1 170px"
					aria-label={t("ofType")}
					placeholder={t("everyType")}
					data={types.map((one) => ({
						value: one.type,
						label: t("typeCount", { type: typeText(t, one.type), count: one.count }),
					}))}
					value={type}
					onChange={onType}
					clearable
					clearButtonProps={{ "aria-label": t("clearType") }}
					comboboxProps={{ width: 300, position: "bottom-start" }}
				/>
			) : null}
		</>
	);
}

function useSaveItems(site: SiteView, search: ItemSearchView) {
	return useCommand((backend, { of, format }: { of: ItemQuery; format: ItemFormat }) =>
		backend.saveItems(serverOf(site), search.id, of, format),
	);
}

type Save = ReturnType<typeof useSaveItems>;

interface SaveItemsProps {
	save: Save;
	search: ItemSearchView;
	query: ItemQuery;
	/** Number of matching rows; `null` without a filter. */
	matching: number | null;
}

/** Menu that saves all or the matching rows to a file. */
function SaveItems({ save, search, query, matching }: SaveItemsProps) {
	const { t } = useTranslation("findItems");
	const all: ItemQuery = { ...query, filter: "", type: null };
	const formats: ItemFormat[] = ["csv", "json"];
	return (
		<MenuButton label={t("save.open")} icon={IconDownload} loading={save.isPending}>
			{matching
				? formats.map((format) => (
						<Menu.Item key={format} onClick={() => save.mutate({ of: query, format })}>
							{t(`save.matching.${format}`, { count: matching })}
						</Menu.Item>
					))
				: null}
			{formats.map((format) => (
				<Menu.Item key={format} onClick={() => save.mutate({ of: all, format })}>
					{t(`save.all.${format}`, { count: search.total })}
				</Menu.Item>
			))}
			<Menu.Label>{t("save.masked")}</Menu.Label>
		</MenuButton>
	);
}

/** Saved file, on a line of its own so that the buttons above do not move. */
function SavedItems({ save }: { save: Save }) {
	const { t } = useTranslation(["findItems", "run"]);
	const problem = save.error ?? (save.data?.kind === "failed" ? save.data.problem : null);
	const file = save.data?.kind === "saved" ? save.data.file : null;
	if (problem) return <ProblemNotice problem={problem} />;
	if (!file) return null;
	return (
		<Group gap="xs" role="status">
			<Text miw={0} mod="anywhere">
				{t("save.saved", { path: file.path })}
			</Text>
			<CopyButton value={file.path} label={t("run:saving.copyPath")} isPath />
			<ShowInFolder path={file.path} />
			<CloseButton aria-label={t("save.dismiss")} onClick={save.reset} />
		</Group>
	);
}
