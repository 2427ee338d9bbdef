import { Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { ReasonField } from "@/components/reason-field";
import { LinkButton } from "@/components/text";
import { useCommand } from "@/lib/use-command";

interface ReasonProps {
	/** The entry, or all entries of a batch. */
	records: readonly RecordId[];
	reason: string;
}

/** Reason or ticket of an entry, which can be added or changed later. */
export function Reason({ records, reason }: ReasonProps) {
	const { t } = useTranslation("history", { keyPrefix: "reason" });
	const [asking, { open, close }] = useDisclosure();
	const [typed, setTyped] = useState(reason);
	const save = useCommand(
		(backend) => backend.setReason([...records], typed.trim()),
		(stale) => stale("setReason", records),
		{ onDone: close },
	);
	const begin = () => {
		setTyped(reason);
		open();
	};
	return (
		<Group gap="xs">
			{reason ? (
				<Text span mod="anywhere">
					{reason}
				</Text>
			) : null}
			<LinkButton disabled={records.length === 0} onClick={begin}>
				{t(reason ? "edit" : "add")}
			</LinkButton>
			<Dialog
				opened={asking}
				onClose={close}
				title={t("title")}
				confirm={t("save")}
				command={save}
				onConfirm={() => save.mutate()}
			>
				<Text>{records.length > 1 ? t("whatOfBatch", { count: records.length }) : t("what")}</Text>
				<ReasonField data-autofocus value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
			</Dialog>
		</Group>
	);
}
