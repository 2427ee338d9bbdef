import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type HistoryBatch, type HistoryEntry, useBackend } from "@/bridge";
import { LoadingRows, ProblemNotice } from "@/components/notice";
import { OutcomeIcon } from "@/components/outcome";
import { useEntryName } from "@/lib/history-text";
import { useBatch } from "@/lib/queries/history";
import { useTargetName } from "@/lib/target";
import { BatchFacts, DetailsFrame } from "./facts";
import { completed, outcomeOfBatch } from "./history-lines";
import { PackageStatus, SavePackage, useSavePackage } from "./save-trail";

interface BatchDetailsProps {
	batch: HistoryBatch;
	/** Newest listed entry of the batch. */
	head: HistoryEntry;
	onClose: () => void;
}

/** What the entries of a batch have in common. Single entries are opened in the list. */
export function BatchDetails({ batch, head, onClose }: BatchDetailsProps) {
	const { t } = useTranslation("history");
	const backend = useBackend();
	const operation = useEntryName()(head);
	const target = useTargetName()(head) || t("allSites");
	const held = useBatch(batch.id);
	const save = useSavePackage();
	return (
		<DetailsFrame
			label={t("batch.title", { operation, site: target, count: batch.size })}
			operation={operation}
			target={target}
			at={head.startedAt}
			takesFocus={false}
			onClose={onClose}
		>
			<Text component="div" style={{ display: "flex", gap: 6, alignItems: "center" }}>
				<OutcomeIcon outcome={outcomeOfBatch(batch)} />
				{t("batch.completed", { done: completed(batch), total: batch.size })}
			</Text>
			<Stack gap="sm">
				<SavePackage
					save={save}
					records={async () => (await backend.historyBatch(batch.id)).map(({ id }) => id).reverse()}
				/>
				<PackageStatus save={save} />
				{held.error ? <ProblemNotice problem={held.error} onRetry={() => void held.refetch()} /> : null}
				{held.isPending ? <LoadingRows rows={3} height={20} /> : null}
				{held.data ? <BatchFacts entries={held.data} /> : null}
			</Stack>
		</DetailsFrame>
	);
}
