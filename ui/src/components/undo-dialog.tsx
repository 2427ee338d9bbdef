import { Checkbox, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId, ServerId, SiteView } from "@/bridge";
import { toTypeForImport } from "@/lib/confirmation";
import { ConfirmDialog } from "./confirm-dialog";
import { UndoneToo } from "./undone-too";

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
