import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
	type BatchItemResult,
	type BatchResult,
	type InvitationView,
	type Millis,
	type RefreshReport,
	type SiteView,
	useBackend,
} from "@/bridge";
import { CopyField } from "@/components/copy-field";
import { DoneAt } from "@/components/done-at";
import { Outcome } from "@/components/outcome";
import { Pages, usePages } from "@/components/pages";
import { PartEnd } from "@/components/part";
import { SaveTable } from "@/components/save-table";
import { ShowInFolder } from "@/components/show-in-folder";
import { fileName } from "@/lib/file-name";
import { formatWeekday } from "@/lib/format";
import { mayBeSentAgain, outcomeOf, worstFirst } from "@/lib/parts";
import { useProblemText } from "@/lib/problem-words";
import { useReadOnly } from "@/lib/use-read-only";
import { hour } from "./expiry";
import { UnsavedInvitations } from "./kept";
import { keyOf } from "./order";

interface FolderReportProps {
	site: SiteView;
	at: Millis;
	invitations: readonly InvitationView[];
	report: BatchResult<RefreshReport>;
	onAgain: (invitations: readonly InvitationView[]) => void;
}

/** What came of each invitation, and where its file is. */
export function FolderReport({ site, at, invitations, report, onAgain }: FolderReportProps) {
	const { t } = useTranslation(["refreshInvitation", "run"]);
	const backend = useBackend();
	const problemText = useProblemText();
	const readOnly = useReadOnly(site);
	const { parts, stopped } = report;
	const done = parts.flatMap((part) => (part.kind === "done" ? [part.report] : []));
	const saved = done.flatMap(({ saving }) => (saving.kind === "saved" ? [saving.file.path] : []));
	const refused = done.some(({ saving }) => saving.kind === "failed");
	const outcome = outcomeOf(parts);
	const rest = mayBeSentAgain(invitations, parts);
	const ends = worstFirst(invitations, parts);
	const pages = usePages(ends);
	const first = done[0];
	const table = () => [
		[
			t("guest"),
			t("collaboration"),
			t("result"),
			t("reason"),
			t("file"),
			t("validUntil"),
			t("collaborationId"),
			t("invitationId"),
		],
		...ends.map(({ asked, part }) => [
			asked.guestPortalUrl,
			asked.collaborationName,
			t(`run:several.end.${part.kind}`),
			"problem" in part && part.problem ? problemText(part.problem) : "",
			fileOf(part) ?? "",
			part.kind === "done" && part.report.expiration !== null ? new Date(part.report.expiration).toISOString() : "",
			asked.collaborationId,
			asked.invitationId,
		]),
	];
	return (
		<Stack>
			<Outcome
				outcome={outcome === "succeeded" && saved.length < done.length ? "warnings" : outcome}
				title={t("refreshed", { done: done.length, count: parts.length, site: site.name })}
			>
				<DoneAt at={at} />
				{stopped ? <Text size="sm">{t("run:several.stopped")}</Text> : null}
				{outcome === "unknown" ? <Text size="sm">{t("lostOne")}</Text> : null}
				{refused ? <Text size="sm">{t("folderRefused")}</Text> : null}
				{saved[0] ? (
					<>
						<CopyField label={t("inFolder")} value={folderOf(saved[0])} copyLabel={t("run:saving.copyPath")} />
						<ShowInFolder path={saved[0]} />
					</>
				) : null}
				{first && first.expiration !== null ? (
					<Text size="sm" c="dimmed">
						{t("reminder", { from: formatWeekday(first.expiration - 24 * hour) })}
					</Text>
				) : null}
			</Outcome>
			<UnsavedInvitations site={site} />
			<Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
				<Table withTableBorder aria-label={t("resultTable")} layout="fixed">
					<Table.Thead>
						<Table.Tr>
							<Table.Th>{t("guest")}</Table.Th>
							<Table.Th>{t("file")}</Table.Th>
							<Table.Th w="28%">{t("result")}</Table.Th>
						</Table.Tr>
					</Table.Thead>
					<Table.Tbody>
						{pages.shown.map(({ asked, part }) => (
							<Table.Tr key={keyOf(asked)}>
								<Table.Td style={{ overflowWrap: "anywhere" }}>
									{asked.guestPortalUrl}
									<Text size="xs" c="dimmed">
										{asked.collaborationName}
									</Text>
								</Table.Td>
								<Table.Td style={{ overflowWrap: "anywhere" }}>
									{part.kind === "done" ? (
										<>
											{fileOf(part) ?? t("fileNotSaved")}
											{part.report.expiration === null ? null : (
												<Text size="xs" c="dimmed">
													{t("until", { until: formatWeekday(part.report.expiration) })}
												</Text>
											)}
										</>
									) : null}
								</Table.Td>
								<Table.Td>
									<PartEnd part={part} />
								</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			</Table.ScrollContainer>
			<Pages handle={pages} label={t("pages")} />
			<Group align="flex-start">
				{rest.length > 0 && !readOnly ? (
					<Button onClick={() => onAgain(rest)}>{t("refreshRest", { count: rest.length })}</Button>
				) : null}
				<SaveTable
					label={t("run:several.save")}
					save={() => backend.saveTable(t("resultFile", { site: site.name }), table())}
				/>
			</Group>
		</Stack>
	);
}

/** The name of the file that was saved; `null` where none was. */
function fileOf(part: BatchItemResult<RefreshReport>): string | null {
	if (part.kind !== "done" || part.report.saving.kind !== "saved") return null;
	return fileName(part.report.saving.file.path);
}

function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, "");
}
