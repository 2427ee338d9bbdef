import { CloseButton, Group, Menu, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ItemFormat, ItemQuery, ItemSearchView, SiteView } from "@/bridge";
import { CopyButton } from "@/components/copy-button";
import { MenuButton } from "@/components/menu";
import { ProblemNotice } from "@/components/problem-notice";
import { ShowInFolder } from "@/components/show-in-folder";
import { serverOf } from "@/lib/target";
import { useCommand } from "@/lib/use-command";

export function useSaveItems(site: SiteView, search: ItemSearchView) {
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
export function SaveItems({ save, search, query, matching }: SaveItemsProps) {
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
export function SavedItems({ save }: { save: Save }) {
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
