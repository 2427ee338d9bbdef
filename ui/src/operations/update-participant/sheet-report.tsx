import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { type BatchResult, type SiteView, type UpdateReport, useBackend } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { Pages, usePages } from "@/components/pages";
import { PartEnd } from "@/components/part";
import { SaveTable } from "@/components/save-table";
import { mayBeSentAgain, outcomeOf, worstFirst } from "@/lib/parts";
import { useProblemText } from "@/lib/problem-words";
import { useReadOnly } from "@/lib/use-read-only";
import { type ContactChange, nameOf } from "./order";
import { Cell } from "./participant-table";

interface SheetReportProps {
	site: SiteView;
	at: number;
	changes: readonly ContactChange[];
	report: BatchResult<UpdateReport>;
	onAgain: (changes: readonly ContactChange[]) => void;
}

/** What came of each contact, worst first; what was certainly not changed can be sent again. */
export function SheetReport({ site, at, changes, report, onAgain }: SheetReportProps) {
	const { t } = useTranslation(["updateParticipant", "run"]);
	const backend = useBackend();
	const problemText = useProblemText();
	const readOnly = useReadOnly(site);
	const [asked, { open, close }] = useDisclosure();
	const { parts, stopped } = report;
	const done = parts.filter(({ kind }) => kind === "done").length;
	const lost = parts.some(({ kind }) => kind === "unknown");
	const rest = mayBeSentAgain(changes, parts);
	const ends = worstFirst(changes, parts);
	const pages = usePages(ends);
	const table = () => [
		[t("collaboration"), t("portal"), t("contactFirstname"), t("contactLastname"), t("contactEmailAddress")].concat(
			t("result"),
			t("reason"),
			t("collaborationId"),
			t("participantId"),
		),
		...ends.map(({ asked: { participant, contact }, part }) => [
			participant.collaborationName,
			participant.portalName,
			contact.contactFirstname,
			contact.contactLastname,
			contact.contactEmailAddress,
			t(`run:several.end.${part.kind}`),
			"problem" in part && part.problem ? problemText(part.problem) : "",
			participant.collaborationId,
			participant.participantId,
		]),
	];
	return (
		<Stack>
			<Outcome outcome={outcomeOf(parts)} title={t("changed", { done, count: parts.length, site: site.name })}>
				<DoneAt at={at} />
				{stopped ? <Text size="sm">{t("run:several.stopped")}</Text> : null}
				{lost ? <Text size="sm">{t("lostOne")}</Text> : null}
			</Outcome>
			<Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
				<Table withTableBorder aria-label={t("resultTable")} layout="fixed">
					<Table.Thead>
						<Table.Tr>
							<Table.Th>{t("participant")}</Table.Th>
							<Table.Th>{t("after")}</Table.Th>
							<Table.Th>{t("result")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{pages.shown.map(({ asked: { participant, contact }, part }) => (
							<Table.Tr key={`${participant.collaborationId} ${participant.participantId}`}>
								<Cell main={participant.portalName} second={participant.collaborationName} />
								<Cell main={nameOf(contact)} second={contact.contactEmailAddress} />
								<Table.Td>
									<PartEnd part={part} />
								</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			</Table.ScrollContainer>
			<Pages handle={pages} label={t("sheetPages")} />
			<Group align="flex-start">
				{rest.length > 0 && !readOnly ? (
					<Button onClick={open}>{t("changeRest", { count: rest.length })}</Button>
				) : null}
				<SaveTable
					label={t("run:several.save")}
					save={() => backend.saveTable(t("resultFile", { site: site.name }), table())}
				/>
			</Group>
			<ConfirmDialog
				opened={asked && !readOnly}
				onClose={close}
				site={site}
				title={t("changeTitle", { count: rest.length, site: site.name })}
				confirm={t("change", { count: rest.length })}
				onConfirm={() => onAgain(rest)}
			>
				<Text size="sm">{t("restBody", { count: rest.length })}</Text>
			</ConfirmDialog>
		</Stack>
	);
}
