import { Checkbox, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, RecordId, SiteView } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ReasonField } from "@/components/reason-field";
import { TypedConfirmation } from "@/components/typed-confirmation";
import { UndoneToo } from "@/components/undone-too";
import { confirms, typedForImport } from "@/lib/confirmation";
import { formatTime } from "@/lib/format";

interface UndoDialogProps {
	site: SiteView;
	/** Name of the server. */
	target: string;
	record: RecordId;
	takenAt: Millis | undefined;
	onClose: () => void;
	onConfirm: (typed: string, secure: boolean, reason: string) => void;
}

/** It is an import again: what changed since goes too, unless it is exported before. */
export function UndoDialog({ site, target, record, takenAt, onClose, onConfirm }: UndoDialogProps) {
	const { t } = useTranslation(["run", "common"]);
	const [typed, setTyped] = useState("");
	const [secure, setSecure] = useState(true);
	const [reason, setReason] = useState("");
	const toType = typedForImport(site);
	return (
		<Dialog
			opened
			onClose={onClose}
			size="lg"
			title={t("undoImport.ask", { site: target })}
			site={site}
			confirm={t("undoImport.confirm")}
			irreversible
			ready={confirms(typed, toType)}
			onConfirm={() => onConfirm(typed, secure, reason)}
		>
			<Text>
				{takenAt === undefined
					? t("undoImport.what", { site: target })
					: t("undoImport.whatOf", { site: target, at: formatTime(takenAt) })}
			</Text>
			<UndoneToo record={record} />
			<Checkbox
				label={t("undoImport.secure")}
				description={t("undoImport.secureHint")}
				checked={secure}
				onChange={(event) => setSecure(event.currentTarget.checked)}
			/>
			<ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
			{toType ? (
				<TypedConfirmation
					label={t("undoImport.type", { text: toType })}
					name={toType}
					value={typed}
					onChange={(event) => setTyped(event.currentTarget.value)}
				/>
			) : null}
		</Dialog>
	);
}
