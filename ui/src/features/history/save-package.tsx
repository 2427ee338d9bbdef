import { Button } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordId } from "@/bridge";
import { SaveStatus } from "@/components/save-status";
import { useCommand } from "@/lib/use-command";

type Records = () => Promise<readonly RecordId[]>;

export type PackageSave = ReturnType<typeof useSavePackage>;

export function useSavePackage() {
	return useCommand(
		async (backend, records: Records) => backend.saveAuditPackage([...(await records())]),
		(stale) => stale("saveAuditPackage"),
	);
}

export function SavePackage({ save, records }: { save: PackageSave; records: Records }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	return (
		<Button
			leftSection={<IconFileZip size={16} aria-hidden />}
			loading={save.isPending}
			onClick={() => save.mutate(records)}
			style={{ alignSelf: "flex-start" }}
		>
			{t("save")}
		</Button>
	);
}

/** Result of {@link SavePackage}, for a line of its own. */
export function PackageStatus({ save }: { save: PackageSave }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	return <SaveStatus save={save} label={t("saved")} dismissed={t("dismissed")} />;
}
