import { Button, Stack } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { SaveStatus } from "@/components/save-status";
import { useCommand } from "@/lib/use-command";

export function SavePackage({ records }: { records: () => Promise<readonly RecordId[]> }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	const save = useCommand(
		async (backend) => backend.saveAuditPackage([...(await records())]),
		(stale) => stale("saveAuditPackage"),
	);
	return (
		<Stack gap="xs" align="flex-start">
			<Button
				leftSection={<IconFileZip size={16} aria-hidden />}
				loading={save.isPending}
				onClick={() => save.mutate()}
			>
				{t("save")}
			</Button>
			<SaveStatus save={save} label={t("saved")} dismissed={t("dismissed")} />
		</Stack>
	);
}
