import { Box, Divider, Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SafetyBackup as SafetyBackupView, SiteView } from "@/bridge";
import { FurtherResponse } from "@/components/further-response";
import { ShowInFolder } from "@/components/show-in-folder";
import { WarningList } from "@/components/warning-list";
import { formatSize, formatTime } from "@/lib/format";
import { useTargetNameOf } from "@/lib/target-name";
import { UndoImport } from "./undo-import";

interface SafetyBackupProps {
	site: SiteView;
	record: string;
	safetyBackup: SafetyBackupView;
	/** Whether the safety backup was imported again. */
	undone: boolean;
}

/** Safety backup of an import, with its undo. */
export function SafetyBackup({ site, record, safetyBackup, undone }: SafetyBackupProps) {
	const { t } = useTranslation("importServer");
	const { t: shared } = useTranslation("run", { keyPrefix: "undoImport" });
	const target = useTargetNameOf("import_server", site);
	const title = t(undone ? "backupNotice.undone" : "backupNotice.title");
	return (
		<Box component="section" aria-label={title}>
			<Divider mb="sm" />
			<Group justify="space-between" align="center" gap="md">
				<Stack gap={2} flex="1 1 300px" miw={0}>
					<Title order={2} size="h5">
						{title}
					</Title>
					<Text>
						{t("backupNotice.body", { at: formatTime(safetyBackup.takenAt), size: formatSize(safetyBackup.size) })}
					</Text>
					{safetyBackup.saved ? (
						<Text mod="anywhere">{t("backupNotice.saved", { path: safetyBackup.saved.path })}</Text>
					) : null}
					{safetyBackup.isRecognized === false ? (
						<Text>{t("backupNotice.notRecognized")}</Text>
					) : safetyBackup.unverifiedEntries ? (
						<Text>{t("backupNotice.unverified", { count: safetyBackup.unverifiedEntries })}</Text>
					) : null}
					<WarningList title={shared("backupWarnings")} messages={safetyBackup.warnings} />
					<FurtherResponse title={shared("backupFurther")} lines={safetyBackup.further} />
				</Stack>
				<Group gap="xs" align="flex-start">
					{safetyBackup.saved ? <ShowInFolder path={safetyBackup.saved.path} /> : null}
					<UndoImport site={site} target={target} record={record} takenAt={safetyBackup.takenAt} saidAbove />
				</Group>
			</Group>
		</Box>
	);
}
