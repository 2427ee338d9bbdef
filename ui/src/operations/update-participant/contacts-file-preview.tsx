import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ContactsFile, ContactsFileRow, SiteView } from "@/bridge";
import { ChangeButton } from "@/components/change-button";
import choice from "@/components/choice.module.css";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Notice } from "@/components/notice";
import { Pages, usePages } from "@/components/pages";
import { draftKey } from "@/lib/drafts";
import { formatList } from "@/lib/format";
import type { OperationHandle } from "@/lib/use-operation";
import { useSessionState } from "@/lib/use-session-state";
import { AskNoDot } from "./ask-no-dot";
import { ContactsFileRows } from "./contacts-file-rows";
import { type ContactChange, contactOf, type Order, type Result } from "./order";
import { useAskChanges } from "./use-ask-changes";

interface ContactsFilePreviewProps {
	site: SiteView;
	sheet: ContactsFile;
	handle: OperationHandle<Result, Order>;
	/** Button that selects another file. */
	other: ReactNode;
}

const filters = ["all", "changes", "same", "marked"] as const;
type Filter = (typeof filters)[number];

const shownOf = draftKey<Filter>();

function filterOf({ verdict }: ContactsFileRow): Filter {
	return verdict.kind === "changes" || verdict.kind === "same" ? verdict.kind : "marked";
}

/** Rows of a contacts file with their changes, and the confirmation before they are sent. */
export function ContactsFilePreview({ site, sheet, handle, other }: ContactsFilePreviewProps) {
	const { t } = useTranslation("updateParticipant");
	const [filter, setFilter] = useSessionState(shownOf(`${site.id} ${sheet.file}`), "all");
	const changes = sheet.rows.flatMap(({ verdict, participant, contact }): ContactChange[] =>
		verdict.kind === "changes" && participant ? [{ participant, contact: contactOf(contact) }] : [],
	);
	const count = changes.length;
	const asking = useAskChanges(site, changes);
	const left = sheet.rows.length - count;
	const pages = usePages(filter === "all" ? sheet.rows : sheet.rows.filter((row) => filterOf(row) === filter));
	const counts = (of: Filter) => sheet.rows.filter((row) => of === "all" || filterOf(row) === of).length;
	return (
		<Stack>
			<Stack gap={2} role="status">
				<Text fw={600} mod="anywhere">
					{t("fileRead", { file: sheet.file, count: sheet.rows.length, rows: sheet.rows.length })}
				</Text>
				<Text c="dimmed">{t("nothingSent")}</Text>
			</Stack>
			{sheet.encoding === "windows1252" ? (
				<Notice tone="warnings" title={t("guessed")}>
					<Text>{t("guessedBody")}</Text>
				</Notice>
			) : null}
			{sheet.ignored.length > 0 ? (
				<Text c="dimmed" mod="anywhere">
					{t("ignored", { count: sheet.ignored.length, columns: formatList(sheet.ignored) })}
				</Text>
			) : null}
			<SegmentedControl
				size="xs"
				classNames={{ root: choice.root ?? "", control: choice.control ?? "", label: choice.label ?? "" }}
				aria-label={t("filter.label")}
				value={filter}
				onChange={(value) => setFilter(value as Filter)}
				data={filters.map((value) => ({ value, label: t(`filter.${value}`, { rows: counts(value) }) }))}
				style={{ alignSelf: "flex-start" }}
			/>
			{pages.total === 0 ? (
				<Text c="dimmed" py="md" ta="center">
					{t("filter.none")}
				</Text>
			) : (
				<ContactsFileRows rows={pages.shown} />
			)}
			<Pages handle={pages} label={t("filePages")} />
			<Group>
				<ChangeButton site={site} disabled={count === 0} loading={asking.isReading} onClick={asking.ask}>
					{t("change", { count })}
				</ChangeButton>
				{other}
				{count === 0 ? <Text c="dimmed">{t("changesNothing")}</Text> : null}
			</Group>
			{asking.news}
			<ConfirmDialog
				opened={asking.isAsked}
				onClose={asking.close}
				site={site}
				title={t("changeTitle", { count, site: site.name })}
				confirm={t("change", { count })}
				onConfirm={(_, reason) => handle.start({ kind: "batch", changes }, reason)}
			>
				<Text>{t("changeBody", { count })}</Text>
				<AskNoDot addresses={changes.map(({ contact }) => contact.contactEmailAddress)} />
				{left > 0 ? <Text>{t("leftAlone", { count: left })}</Text> : null}
				<Text c="dimmed">{t("changeStop")}</Text>
			</ConfirmDialog>
		</Stack>
	);
}
