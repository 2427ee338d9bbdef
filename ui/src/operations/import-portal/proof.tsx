import { Box, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { PortalImportReport, PortalProof, RecordId, SiteView } from "@/bridge";
import { LongFact } from "@/components/fact-list";
import { FurtherResponse } from "@/components/foldable";
import { WarningList } from "@/components/long-text";
import { MissingParts } from "@/components/missing-parts";
import { ProblemNotice } from "@/components/problem-notice";
import { Time } from "@/components/time";
import { useSession } from "@/lib/queries/session";
import { useCommand } from "@/lib/use-command";
import { CountTable, verdictOf } from "./comparison";

interface ProofProps {
	site: SiteView;
	/** History entry of the import; `null` if it could not be written. */
	record: RecordId | null;
	/** Counts right after the import; `null` if nothing was counted. */
	proof: PortalProof | null;
	/** Whether it is shown for an undo, next to that of the import. */
	ofUndo?: boolean;
}

/** Line of a result: contents of the portal after an import, compared with the export. The user can count again. */
export function Proof({ site, record, proof, ofUndo = false }: ProofProps) {
	const { t } = useTranslation("importPortal", { keyPrefix: "proof" });
	const { t: parts } = useTranslation("run", { keyPrefix: "inventory" });
	const count = useCommand(
		(backend, of: RecordId) => backend.checkPortalImport(site.id, of),
		(stale, of) => stale("checkPortalImport", of),
	);
	const session = useSession(site);
	// Hides the error after a sign-in, because it requested one.
	const isAnswered = count.error?.kind === "signIn" && session.data != null;
	const problem = isAnswered ? null : count.error;
	const shown = count.data ?? proof;
	const title = t(ofUndo ? "undone" : "title");
	return (
		<LongFact name={title}>
			{shown === null ? <Text>{t("notYet")}</Text> : null}
			{shown?.comparison ? (
				<>
					<Text fw={600}>{t(verdictOf(shown.comparison.rows))}</Text>
					<Text component="div">
						{t("counted")} <Time at={shown.comparison.countedAt} relative />
					</Text>
					<CountTable rows={shown.comparison.rows} label={title} portal={t("after")} />
				</>
			) : null}
			{shown !== null && !shown.comparison ? (
				<>
					<Text>{t("noComparison")}</Text>
					<Group gap="lg">
						{(["items", "users", "groups", "collaborations"] as const).map((part) =>
							shown.inventory[part] === null ? null : (
								<Text key={part}>{t("count", { part: parts(`part.${part}`), number: shown.inventory[part] })}</Text>
							),
						)}
					</Group>
				</>
			) : null}
			{shown === null ? null : <MissingParts missing={shown.inventory.missing} />}
			{record === null ? null : (
				<Button loading={count.isPending} onClick={() => count.mutate(record)}>
					{t(shown === null ? "check" : "checkAgain")}
				</Button>
			)}
			{problem ? (
				<Box w="100%">
					<ProblemNotice problem={problem} />
				</Box>
			) : null}
		</LongFact>
	);
}

/** Whether the portal differs from the export after an import, or could not be counted. */
export function differs({ proof }: PortalImportReport): boolean {
	return proof?.comparison != null && verdictOf(proof.comparison.rows) !== "equal";
}

/** Returns the outcome of an import or undo, as the history records it. */
export function outcomeOf(report: PortalImportReport): "warnings" | "succeeded" {
	return report.warned || differs(report) ? "warnings" : "succeeded";
}

/** Warnings of the portal, and text that the app does not interpret. */
export function Remarks({ report: { warned, messages, further } }: { report: PortalImportReport }) {
	const { t } = useTranslation("importPortal");
	return (
		<>
			{warned && messages.length === 0 ? <Text>{t("warnedWithoutDetails")}</Text> : null}
			<WarningList title={t("warningsTitle")} messages={messages} />
			<FurtherResponse lines={further} />
		</>
	);
}
