import { Checkbox, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId, ServerId, SiteView } from "@/bridge";
import { toTypeForImport } from "@/lib/confirmation";
import { ConfirmDialog } from "./confirm-dialog";
import { UndoneToo } from "./undone-too";

interface UndoDialogProps {
	site: SiteView;
	/** Server that the import went to; `null` for the portal. */
	server: ServerId | null;
	/** The import. */
	record: RecordId;
	title: string;
	/** What the safety backup replaces. */
	what: string;
	/** What the check box for another safety backup says. */
	secure: string;
	secureHint: string;
	/** What has to be decided before; `null` for nothing. */
	decision?: ReactNode;
	/** Whether it is decided. */
	isDecided?: boolean;
	/** Where that is written, while it is wanted. */
	place?: ReactNode;
	/** Whether that is filled in. */
	hasPlace?: boolean;
	onClose: () => void;
	onConfirm: (typed: string, isSecured: boolean, reason: string) => void;
}

/** It is an import again: what changed since goes too, unless it is exported before. */
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
