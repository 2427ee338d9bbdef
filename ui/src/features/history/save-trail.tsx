import { Menu } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { HistorySearch, RecordId, TrailFormat } from "@/bridge";
import { SaveMenu } from "@/components/menu";
import { SaveStatus } from "@/components/saved-file";
import { IconButton } from "@/components/text";
import { useCommand } from "@/lib/use-command";

const formats: readonly TrailFormat[] = ["jsonLines", "syslog"];

/** Saves the audit trail, or only the events of some kinds. */
export function useSaveTrail(search: HistorySearch, kinds: readonly string[]) {
	return useCommand((backend, format: TrailFormat) => backend.saveTrail(search, [...kinds], format));
}

export function SaveTrailItems({ save }: { save: ReturnType<typeof useSaveTrail> }) {
	const { t } = useTranslation("history");
	return formats.map((format) => (
		<Menu.Item key={format} onClick={() => save.mutate(format)}>
			{t(`trail.save.${format}`)}
		</Menu.Item>
	));
}

export function SaveTrail({ save }: { save: ReturnType<typeof useSaveTrail> }) {
	const { t } = useTranslation("history");
	return (
		<SaveMenu
			position="bottom-start"
			label={t("trail.save.button")}
			formats={formats}
			nameOf={(format) => t(`trail.save.${format}`)}
			save={save}
		/>
	);
}

type Records = () => Promise<readonly RecordId[]>;

export type PackageSave = ReturnType<typeof useSavePackage>;

export function useSavePackage() {
	return useCommand(
		async (backend, records: Records) => backend.saveAuditPackage([...(await records())]),
		["saveAuditPackage"],
	);
}

export function SavePackage({ save, records }: { save: PackageSave; records: Records }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	return (
		<IconButton
			label={t("save")}
			icon={IconFileZip}
			loading={save.isPending}
			onClick={() => save.mutate(records)}
			w="fit-content"
		/>
	);
}

/** Result of {@link SavePackage}, for a line of its own. */
export function PackageStatus({ save }: { save: PackageSave }) {
	const { t } = useTranslation("history", { keyPrefix: "auditPackage" });
	return <SaveStatus save={save} label={t("saved")} dismissed={t("dismissed")} />;
}
