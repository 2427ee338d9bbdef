import { Checkbox, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId, ServerId, SiteView } from "@/bridge";
import { toTypeForImport } from "@/lib/confirmation";
import { useOperationUis } from "@/lib/operation-ui";
import { useChangesSince } from "@/lib/queries/history";
import { ChangesSince } from "./changes-since";
import { ConfirmDialog } from "./confirm-dialog";
import { LoadingRows } from "./loading-rows";
import { ProblemNotice } from "./problem-notice";

interface UndoDialogProps {
	site: SiteView;
	/** Server of the import; `null` for the portal. */
	server: ServerId | null;
	/** History entry of the import. */
	record: RecordId;
	title: string;
	/** Text about what the safety backup replaces. */
	what: string;
	/** Label of the check box for another safety backup. */
	secure: string;
	secureHint: string;
	/** Required decision; `null` for none. */
	decision?: ReactNode;
	/** Whether the decision was made. */
	isDecided?: boolean;
	/** Destination of the safety backup, shown if one is selected. */
	place?: ReactNode;
	/** Whether the destination is complete. */
	hasPlace?: boolean;
	onClose: () => void;
	onConfirm: (typed: string, isSecured: boolean, reason: string) => void;
}

/**
 * Confirmation of an undo. An undo is an import as well: it also reverts later changes, unless they are exported
 * before.
 */
export function UndoDialog({
	site,
	server,
	record,
	title,
	what,
	secure,
	secureHint,
	decision = null,
	isDecided = true,
	place = null,
	hasPlace = true,
	onClose,
	onConfirm,
}: UndoDialogProps) {
	const { t } = useTranslation("run", { keyPrefix: "undoImport" });
	const [isSecured, setIsSecured] = useState(true);
	const toType = toTypeForImport(site, server);
	return (
		<ConfirmDialog
			opened
			onClose={onClose}
			title={title}
			site={site}
			confirm={t("confirm")}
			irreversible
			toType={toType}
			typeLabel={t("type", { text: toType })}
			ready={isDecided && (!isSecured || hasPlace)}
			onConfirm={(typed, reason) => onConfirm(typed, isSecured, reason)}
		>
			<Text>{what}</Text>
			{decision}
			<UndoneToo record={record} />
			<Checkbox
				label={secure}
				description={secureHint}
				checked={isSecured}
				onChange={(event) => setIsSecured(event.currentTarget.checked)}
			/>
			{isSecured ? place : null}
		</ConfirmDialog>
	);
}

/** Recorded changes since an import, which an undo reverts as well. */
function UndoneToo({ record }: { record: RecordId }) {
	const { t } = useTranslation("run");
	const uis = useOperationUis();
	const since = useChangesSince(record);
	if (since.isPending) return <LoadingRows rows={2} height={20} />;
	if (since.error) return <ProblemNotice problem={since.error} />;
	const { changes, count } = since.data;
	return (
		<Stack gap={4}>
			{count === 0 ? (
				<Text fw={600}>{t("undoImport.sinceNone")}</Text>
			) : (
				<ChangesSince changes={since.data} title={t("undoImport.since", { count })} />
			)}
			{Object.values(uis).map(({ key, undoneWithImport }) =>
				undoneWithImport && changes.some(({ operation }) => undoneWithImport.entries.includes(operation)) ? (
					<Text key={key}>{undoneWithImport.text(t)}</Text>
				) : null,
			)}
			<Text>{t("undoImport.sinceOthers")}</Text>
		</Stack>
	);
}
