import { Button, Stack } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RecordId, useBackend } from "@/bridge";
import { SaveStatus } from "@/components/save-status";
import { useStale } from "@/lib/stale";

/** Saves several entries as one audit package. */
export function SavePackage({ records }: { records: () => Promise<readonly RecordId[]> }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	const backend = useBackend();
	const stale = useStale();
	const save = useMutation({
		mutationFn: async () => backend.saveAuditPackage([...(await records())]),
		onSuccess: () => stale("saveAuditPackage"),
	});
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
