import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Millis, RecordId, SiteView } from "@/bridge";
import { formatTime } from "@/lib/format";
import { siteEdge } from "@/lib/site-color";
import { UndoneToo } from "./undone-too";

interface UndoDialogProps {
	site: SiteView;
	record: RecordId;
	takenAt: Millis | undefined;
	onClose: () => void;
	onConfirm: (typed: string, secure: boolean) => void;
}

/** It is an import again: what changed since goes too, unless it is exported before. */
export function UndoDialog({ site, record, takenAt, onClose, onConfirm }: UndoDialogProps) {
	const { t } = useTranslation(["run", "common"]);
	const [typed, setTyped] = useState("");
	const [secure, setSecure] = useState(true);
	const toType = site.environment === "practice" ? "" : site.name;
	return (
		<Modal
			opened
			onClose={onClose}
			size="lg"
			title={t("undoImport.ask", { site: site.name })}
			styles={siteEdge(site.color)}
			closeButtonProps={{ "aria-label": t("common:action.close") }}
		>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (typed.trim() === toType) onConfirm(typed, secure);
				}}
			>
				<Stack>
					<Text size="sm">
						{takenAt === undefined
							? t("undoImport.what", { site: site.name })
							: t("undoImport.whatOf", { site: site.name, at: formatTime(takenAt) })}
					</Text>
					<UndoneToo site={site} record={record} />
					<Checkbox
						label={t("undoImport.secure")}
						description={t("undoImport.secureHint")}
						checked={secure}
						onChange={(event) => setSecure(event.currentTarget.checked)}
					/>
					{toType ? (
						<TextInput
							label={t("undoImport.type", { text: toType })}
							spellCheck={false}
							autoComplete="off"
							data-autofocus
							value={typed}
							onChange={(event) => setTyped(event.currentTarget.value)}
						/>
					) : null}
					<Group justify="flex-end" gap="xs">
						<Button variant="default" onClick={onClose}>
							{t("common:action.cancel")}
						</Button>
						<Button type="submit" color="red" disabled={typed.trim() !== toType}>
							{t("undoImport.confirm")}
						</Button>
					</Group>
				</Stack>
			</form>
		</Modal>
	);
}
