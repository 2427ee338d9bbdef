import { Group, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconEqual, IconFileSpreadsheet } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
	type ContactsFile,
	type ContactsFileError,
	type ContactsFileReading,
	type ContactsFileRow,
	type Problem,
	type RowVerdict,
	type SiteView,
	type UpdateParticipantForm,
	useBackend,
} from "@/bridge";
import { Choice } from "@/components/choice";
import { ConfirmDialog } from "@/components/dialog";
import { Notice, ProblemNotice } from "@/components/notice";
import { WithIcon } from "@/components/outcome";
import { pageWidths } from "@/components/page";
import { SaveTable } from "@/components/saved-file";
import { Pages, usePages } from "@/components/searched-list";
import { ChangeButton } from "@/components/submit-form";
import { IconButton, Lines } from "@/components/text";
import { Heads, TwoLines, WideTable } from "@/components/wide-table";
import { draftKey, useSessionState } from "@/lib/drafts";
import { formatList, formatNumber } from "@/lib/format";
import { useLastContactsBatch, useParticipants } from "@/lib/queries/site";
import type { OperationHandle } from "@/lib/runs";
import {
	AskNoDot,
	type ContactChange,
	contactOf,
	DifferenceLines,
	type Order,
	type Result,
	useAskChanges,
} from "./difference";
import { ContactsFileReport } from "./report";

interface ContactsFilePanelProps {
	site: SiteView;
	handle: OperationHandle<Result, Order>;
	/** Last file that was read. Owned by the parent, so that it outlives the run. */
	reading: ContactsFileReading | null;
	/** Reads the file at a path, or the one that the user selects if the path is `null`. */
	choose: UseMutationResult<ContactsFileReading, Problem, string | null>;
}

/** Changes many contacts with a contacts file, which is previewed before it is sent. */
export function ContactsFilePanel({ site, handle, reading, choose }: ContactsFilePanelProps) {
	const { t } = useTranslation("updateParticipant");
	const backend = useBackend();
	const sheet = reading?.kind === "read" ? reading.sheet : null;
	const button = (
		<IconButton
			label={t(reading ? "chooseOther" : "choose")}
			variant={sheet ? "default" : "filled"}
			loading={choose.isPending}
			icon={IconFileSpreadsheet}
			onClick={() => choose.mutate(null)}
		/>
	);
	return (
		<Stack>
			{sheet ? null : (
				<Stack maw={pageWidths.form} gap="xs">
					<Text>{t("fileIntro")}</Text>
					<Lines type="ordered" spacing={4} lines={[t("fileStep.save"), t("fileStep.correct"), t("fileStep.choose")]} />
					<Text c="dimmed">{t("permission")}</Text>
				</Stack>
			)}
			<ProblemNotice problem={choose.error} />
			{reading?.kind === "unusable" ? <Unusable reading={reading} /> : null}
			{sheet ? (
				<ContactsFilePreview site={site} sheet={sheet} handle={handle} other={button} />
			) : (
				<>
					<Group align="flex-start">
						{button}
						<SaveTable label={t("saveTemplate")} save={() => backend.saveContactsTemplate(site.id)} />
					</Group>
					<LastBatch site={site} handle={handle} />
				</>
			)}
		</Stack>
	);
}

function Unusable({ reading }: { reading: Extract<ContactsFileReading, { kind: "unusable" }> }) {
	const { t } = useTranslation("updateParticipant");
	const { what, advice } = useContactsFileFaultText()(reading.fault);
	return (
		<Notice tone="failed" title={t("unusable", { file: reading.file })}>
			<Text>{what}</Text>
			<Text>{advice}</Text>
		</Notice>
	);
}

/** Result of the last contacts file, if the page was left or reloaded since; renders nothing if none was sent. */
function LastBatch({ site, handle }: { site: SiteView; handle: OperationHandle<Result, Order> }) {
	const last = useLastContactsBatch(site.id).data;
	const participants = useParticipants(site.id).data ?? [];
	if (!last) return null;
	const changeOf = (form: UpdateParticipantForm): ContactChange => {
		const { collaborationId, participantId } = form;
		const participant = participants.find(
			(one) => one.collaborationId === collaborationId && one.participantId === participantId,
		);
		return { participant: participant ?? unlisted(form), contact: contactOf(form) };
	};
	return (
		<ContactsFileReport
			site={site}
			at={last.at}
			changes={last.forms.map(changeOf)}
			report={last.report}
			onAgain={(changes, reason) => handle.start({ kind: "batch", changes }, reason)}
		/>
	);
}

/** Returns a change of a participant that the portal does not list. */
function unlisted(form: UpdateParticipantForm): ContactChange["participant"] {
	const { collaborationId, participantId } = form;
	return {
		...form,
		collaborationName: collaborationId,
		portalName: participantId,
		portalUrl: "",
		role: "",
		status: "",
		hostedElsewhere: null,
		gap: null,
	};
}

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
function ContactsFilePreview({ site, sheet, handle, other }: ContactsFilePreviewProps) {
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
				<Notice text={t("guessedBody")} tone="warnings" title={t("guessed")} />
			) : null}
			{sheet.ignored.length > 0 ? (
				<Text c="dimmed" mod="anywhere">
					{t("ignored", { count: sheet.ignored.length, columns: formatList(sheet.ignored) })}
				</Text>
			) : null}
			<Choice
				size="xs"
				w="fit-content"
				maw="100%"
				aria-label={t("filter.label")}
				value={filter}
				onChange={(value) => setFilter(value as Filter)}
				data={filters.map((value) => ({ value, label: t(`filter.${value}`, { rows: counts(value) }) }))}
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

/** Rows of a contacts file, each with its participant and its changes, or the reason why it has none. */
function ContactsFileRows({ rows }: { rows: readonly ContactsFileRow[] }) {
	const { t } = useTranslation("updateParticipant");
	return (
		<WideTable
			label={t("fileTable")}
			head={<Heads of={[[t("line"), { w: 70, ta: "end" }], [t("participant"), { w: "32%" }], t("whatChanges")]} />}
		>
			{rows.map((row) => (
				<Table.Tr key={row.line}>
					<Table.Td ta="end" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
						{formatNumber(row.line)}
					</Table.Td>
					{row.participant ? (
						<TwoLines main={row.participant.portalName} second={row.participant.collaborationName} />
					) : (
						<TwoLines main={row.named || t("unnamed")} />
					)}
					<Table.Td mod="anywhere">
						<What row={row} />
					</Table.Td>
				</Table.Tr>
			))}
		</WideTable>
	);
}

function What({ row }: { row: ContactsFileRow }) {
	const words = useVerdictText()(row.verdict);
	if (words === null && row.participant) return <DifferenceLines present={row.participant} wanted={row.contact} />;
	return row.verdict.kind === "same" ? (
		<WithIcon c="dimmed" icon={IconEqual}>
			{words}
		</WithIcon>
	) : (
		<WithIcon icon={IconAlertTriangle} color="var(--tone-warnings)">
			{words}
		</WithIcon>
	);
}

/** Returns a function that explains why a row is not sent; `null` for a row that is. */
function useVerdictText(): (verdict: RowVerdict) => string | null {
	const { t } = useTranslation(["updateParticipant", "common"]);
	return (verdict) => {
		switch (verdict.kind) {
			case "changes":
				return null;
			case "repeated":
				return t("row.repeated", { lines: formatList(verdict.lines.map(formatNumber)) });
			case "faulty": {
				const field = verdict.field as "contactFirstname" | "contactLastname" | "contactEmailAddress";
				return t("row.faulty", { field: t(field), fault: t(`common:fault.${verdict.fault}`) });
			}
			case "hostedElsewhere":
				return t("hostedElsewhere", { portal: verdict.portal });
			default:
				return t(`row.${verdict.kind}`);
		}
	};
}

/** Returns a function that explains why a contacts file cannot be read, and what to do. */
function useContactsFileFaultText(): (fault: ContactsFileError) => { what: string; advice: string } {
	const { t } = useTranslation("updateParticipant");
	return (fault) => ({
		what:
			fault.kind === "repeatedColumn"
				? t("fileFault.repeatedColumn.what", { column: fault.column })
				: t(`fileFault.${fault.kind}.what`),
		advice: t(`fileFault.${fault.kind}.do`),
	});
}
