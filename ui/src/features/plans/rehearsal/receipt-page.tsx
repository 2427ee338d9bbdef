import { Button, List, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ProofLine, ReceiptPart, ReceiptView, RecordId, ReportFormat, SiteView } from "@/bridge";
import { Board, boardClasses as classes, FactCell } from "@/components/board";
import { SaveMenu } from "@/components/menu";
import { CommandButton, LoadingRows, Notice, ProblemNotice } from "@/components/notice";
import { Fact, FactList } from "@/components/outcome";
import { HelpLink, Page, Section } from "@/components/page";
import { ProofLines } from "@/components/proof-lines";
import { SaveStatus } from "@/components/saved-file";
import { Breakable } from "@/components/text";
import { formatDateTime, formatDuration, formatSize, hostAndPathOf } from "@/lib/format";
import { useNavigation } from "@/lib/navigation";
import { useProofFact, useProofHeadline } from "@/lib/proof-text";
import { useReceipt } from "@/lib/queries/plans";
import { useCommand } from "@/lib/use-command";
import { dotted, joined } from "@/messages/isolated";
import { shortened } from "../shown/part-state";
import printed from "./receipt.module.css";
import { Differences, stepOutcome, verdictTone } from "./rehearsal-steps";

const formats = ["html", "json"] as const satisfies readonly ReportFormat[];

/** Receipt of a rehearsal, which can also be saved as a file, or printed. */
export function ReceiptPage({ site, record }: { site: SiteView; record: RecordId }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	const { t: words } = useTranslation("rehearsal", { keyPrefix: "receipt" });
	const { data: view, error, refetch } = useReceipt(record);
	const save = useCommand(
		(backend, format: ReportFormat) => backend.saveRehearsalReceipt(record, format),
		["saveRehearsalReceipt"],
	);
	const imports = view?.receipt.parts.flatMap((part) => part.import?.record ?? []) ?? [];
	const pack = useCommand((backend) => backend.saveAuditPackage([record, ...imports]), ["saveAuditPackage"]);
	const print = useCommand((backend) => backend.printPage(), ["printPage"]);
	return (
		<Page
			title={t("title")}
			beside={view ? joined([view.receipt.siteName, view.receipt.testSiteName], " → ") : null}
			width="wide"
			back={{ label: t("fact.record"), to: { page: "history", record } }}
			actions={
				<>
					<CommandButton command={pack} label={t("package")} />
					<CommandButton command={print} label={words("print")} icon={IconPrinter} disabled={view === undefined} />
					<SaveMenu label={t("save")} formats={formats} nameOf={(format) => format.toUpperCase()} save={save} />
					<HelpLink topic="backup-plans" about={t("title")} />
				</>
			}
		>
			<SaveStatus save={save} label={t("saved")} dismissed={t("dismissed")} />
			<SaveStatus save={pack} label={t("saved")} dismissed={t("dismissed")} />
			<ProblemNotice problem={print.error} />
			<ProblemNotice problem={error} onRetry={() => void refetch()} />
			{view === undefined && !error ? <LoadingRows height={48} /> : null}
			{view ? (
				<Stack gap="lg" className={printed.receipt ?? ""}>
					<Head view={view} />
					<Imports parts={view.receipt.parts} />
					{/* Equally large: what was not tried is as important as what is not as it should be. */}
					<SimpleGrid cols={{ base: 1, md: 2 }}>
						<Checks title={words("open")} parts={view.receipt.parts} of={isOpen} none={words("nothingOpen")} />
						<Section title={t("notTriedTitle")}>
							<List spacing={4}>
								{view.receipt.notTried.map((one) => (
									<List.Item key={one}>{t(`notTried.${one}`)}</List.Item>
								))}
							</List>
						</Section>
					</SimpleGrid>
					<PutBack site={site} view={view} />
					<Section title={t("differences")}>
						{view.receipt.differences.length === 0 ? (
							<Text>{t("noDifferences")}</Text>
						) : (
							<Differences differences={view.receipt.differences} />
						)}
					</Section>
					<Checks title={words("well")} parts={view.receipt.parts} of={(line) => !isOpen(line)} />
				</Stack>
			) : null}
		</Page>
	);
}

const isOpen = ({ state }: ProofLine) => state !== "done";

function Head({ view: { receipt, username, computer } }: { view: ReceiptView }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	const { verdict, siteName, planName, setStarted, setSha256, testSiteName, began, ended, recoveryTime, head } =
		receipt;
	return (
		<Notice tone={verdictTone[verdict]} role="status" title={t(`verdict.${verdict}`)}>
			<FactList>
				<Fact name={t("fact.set")}>{joined([siteName, planName, formatDateTime(setStarted)], ", ")}</Fact>
				<Fact name={t("fact.setSha256")}>{setSha256 === "" ? t("noSha256") : shortened(setSha256)}</Fact>
				<Fact name={t("fact.onto")}>{testSiteName}</Fact>
				<Fact name={t("fact.began")}>{formatDateTime(began)}</Fact>
				<Fact name={t("fact.ended")}>{formatDateTime(ended)}</Fact>
				<Fact name={t("fact.recoveryTime")}>
					{recoveryTime === null ? t("valueUnknown") : formatDuration(recoveryTime)}
				</Fact>
				<Fact name={t("fact.who")}>{joined([username, computer], ", ")}</Fact>
				<Fact name={t("fact.headBefore")}>{head}</Fact>
			</FactList>
		</Notice>
	);
}

function Imports({ parts }: { parts: readonly ReceiptPart[] }) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	const headline = useProofHeadline();
	const factOf = useProofFact();
	const heads = [t("column.part"), t("column.file"), t("column.outcome"), t("line.services"), t("fact.recoveryTime")];
	/** Services that ran at the last check after the import of a part. */
	const running = (back: ReceiptPart["back"]) => {
		const line = back?.lines.find(({ about }) => about === "services");
		return back && line ? factOf(line, back) : null;
	};
	return (
		<Section title={t("imports")}>
			<Board label={t("imports")} heads={heads}>
				{parts.map(({ server, name, ontoUrl, file, size, sha256, state, import: sent, back }) => (
					<Table.Tr key={server ?? ""} aria-label={name}>
						<FactCell
							head={t("column.part")}
							below={<Breakable>{hostAndPathOf(ontoUrl)}</Breakable>}
							fact={<b>{name}</b>}
						/>
						<FactCell
							head={t("column.file")}
							dimmed={sha256 === null}
							below={dotted(file, size === null ? "" : formatSize(size))}
							fact={sha256 === null ? t("noSha256") : shortened(sha256)}
						/>
						<FactCell
							head={t("column.outcome")}
							tone={stepOutcome[state]}
							below={state === "back" || back === null ? null : headline(back, sent?.at ?? null)}
							fact={t(`step.${state}`)}
						/>
						<FactCell
							head={t("line.services")}
							dimmed={running(back) === null}
							fact={running(back) ?? t("notChecked")}
						/>
						<FactCell
							head={t("fact.recoveryTime")}
							dimmed={sent === null || back === null}
							fact={sent === null || back === null ? t("valueUnknown") : formatDuration(back.checkedAt - sent.began)}
						/>
					</Table.Tr>
				))}
			</Board>
		</Section>
	);
}

interface ChecksProps {
	title: string;
	parts: readonly ReceiptPart[];
	/** Whether the section has a line of a check. */
	of: (line: ProofLine) => boolean;
	/** Shown if checks were made and have no such line; without it, the section is left out. */
	none?: string;
}

/** Lines of the last check after the import of each part. */
function Checks({ title, parts, of, none }: ChecksProps) {
	const { t } = useTranslation("common", { keyPrefix: "receipt" });
	const found = parts.flatMap(({ name, server, back }) => {
		const lines = back?.lines.filter(of) ?? [];
		return back === null || lines.length === 0 ? [] : [{ name, server, back, lines }];
	});
	if (found.length === 0 && none === undefined) return null;
	return (
		<Section title={title}>
			{found.length > 0 ? null : parts.some(({ back }) => back !== null) ? (
				<Text>{none}</Text>
			) : (
				<Text c="dimmed">{t("notChecked")}</Text>
			)}
			{found.map(({ name, server, back, lines }) => (
				<Stack key={server ?? ""} gap={4}>
					<Text fw={600}>{name}</Text>
					<ProofLines site={null} proof={back} lines={lines} />
				</Stack>
			))}
		</Section>
	);
}

/** Imports of the rehearsal, the last first, with links to undo them. Each undo is confirmed in its history entry. */
function PutBack({ site, view: { putBack } }: { site: SiteView; view: ReceiptView }) {
	const { t } = useTranslation("rehearsal", { keyPrefix: "putBack" });
	const { go } = useNavigation();
	if (putBack.length === 0) return null;
	const names = { test: site.name };
	const next = putBack.find(({ undoneBy, canUndo }) => undoneBy === null && canUndo);
	return (
		<Section title={t("title", names)}>
			<Text>{next ? t("as", names) : t("all", names)}</Text>
			<Board label={t("title", names)} heads={[t("part"), t("state"), ""]}>
				{putBack.map((step) => {
					const { name, ontoUrl, import: record, canUndo, undoneBy } = step;
					const state = undoneBy !== null ? "done" : !canUndo ? "none" : step === next ? "next" : "later";
					return (
						<Table.Tr key={record} aria-label={name}>
							<FactCell head={t("part")} below={hostAndPathOf(ontoUrl)} fact={name} />
							<FactCell head={t("state")} dimmed={state !== "done"} fact={t(state)} />
							<Table.Td>
								<span className={classes.acts}>
									{undoneBy === null && canUndo ? (
										<Button
											aria-label={t("undoLabel", { part: name })}
											disabled={state === "later"}
											onClick={() => go({ page: "history", record })}
										>
											{t("undo")}
										</Button>
									) : null}
								</span>
							</Table.Td>
						</Table.Tr>
					);
				})}
			</Board>
		</Section>
	);
}
