import { ActionIcon, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Problem, ServerUpload, SiteView } from "@/bridge";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { toTypeForImport } from "@/lib/confirmation";
import { formatTime } from "@/lib/format";
import { useBackedUp } from "@/lib/queries/history";
import { serverOf } from "@/lib/target";
import { useTargetNameOf } from "@/lib/target-name";
import { useCommand } from "@/lib/use-command";
import { useReadOnly } from "@/lib/use-read-only";

interface Deletion {
	upload: ServerUpload;
	typed: string;
	reason: string;
}

/** Deletes stored files. The result is shown above the list, which might be empty afterwards. */
export function useDeleteStored(site: SiteView) {
	return useCommand(
		(backend, { upload, typed, reason }: Deletion) => backend.deleteUpload(serverOf(site), upload.id, typed, reason),
		(stale) => stale("deleteUpload", serverOf(site)),
	);
}

interface DeleteStoredProps {
	site: SiteView;
	/** Selected file; `null` for none. */
	upload: ServerUpload | null;
	deletion: UseMutationResult<null, Problem, Deletion>;
}

/** Button that deletes the selected file from the server after a confirmation. */
export function DeleteStored({ site, upload, deletion }: DeleteStoredProps) {
	const { t } = useTranslation("importServer");
	const target = useTargetNameOf("import_server", site);
	const readOnly = useReadOnly(site);
	const [asking, { open, close }] = useDisclosure(false);
	return (
		<>
			<Tooltip label={t("remove.open")}>
				<ActionIcon
					size={36}
					variant="default"
					aria-label={t("remove.open")}
					disabled={upload === null || readOnly}
					loading={deletion.isPending}
					onClick={open}
				>
					<IconTrash size={16} aria-hidden />
				</ActionIcon>
			</Tooltip>
			{upload && !readOnly ? (
				<ConfirmDialog
					opened={asking}
					onClose={close}
					title={t("remove.title", { name: upload.name, site: target })}
					site={site}
					confirm={t("remove.confirm")}
					irreversible
					toType={toTypeForImport(site, site.currentServer)}
					onConfirm={(typed, reason) => deletion.mutate({ upload, typed, reason })}
				>
					<Text>{t("remove.body")}</Text>
					{asking ? <BackedUp site={site} upload={upload} /> : null}
				</ConfirmDialog>
			) : null}
		</>
	);
}

/** Warning that an import can no longer be undone without the file. */
function BackedUp({ site, upload }: { site: SiteView; upload: ServerUpload }) {
	const { t } = useTranslation("importServer");
	const ofImport = useBackedUp(site.id, "import_server", upload.id);
	if (!ofImport) return null;
	return <Text fw={600}>{t("remove.backup", { at: formatTime(ofImport.startedAt) })}</Text>;
}
