import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SiteView, UnsavedInvitationView } from "@/bridge";
import { ConfirmDialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { SaveStatus } from "@/components/saved-file";
import { formatAgo, useNow } from "@/lib/format";
import { useUnsavedInvitations } from "@/lib/queries/site";
import { useCommand } from "@/lib/use-command";
import { useSaveInvitation } from "@/lib/use-saving";

/** Refreshed invitations without a saved file, including those of earlier starts of the app. */
export function UnsavedInvitations({ site }: { site: SiteView }) {
	const { t } = useTranslation("refreshInvitation");
	const { t: run } = useTranslation("run");
	const kept = useUnsavedInvitations(site.id);
	const save = useMutation({ mutationFn: useSaveInvitation(site.id) });
	const discard = useCommand(
		(backend, one: string) => backend.discardUnsavedInvitation(one),
		(stale) => void stale("discardUnsavedInvitation", site.id),
	);
	const waiting = kept.data ?? [];
	// One at a time: only the result of the last dialog would be shown.
	const isBusy = save.isPending || discard.isPending;
	return (
		<>
			{waiting.length > 0 ? (
				<Notice tone="warnings" title={t("waiting", { count: waiting.length })}>
					<Text>{t("waitingBody", { count: waiting.length })}</Text>
					<Stack gap="xs">
						{waiting.map((one) => (
							<Waiting
								key={one.kept}
								invitation={one}
								isBusy={isBusy}
								isSaving={save.isPending && save.variables === one.kept}
								onSave={() => save.mutate(one.kept)}
								onDiscard={() => discard.mutate(one.kept)}
							/>
						))}
					</Stack>
				</Notice>
			) : null}
			<SaveStatus
				save={{ data: save.data, error: save.error ?? discard.error }}
				label={run("saving.path")}
				dismissed={run("saving.tableDismissed")}
			/>
		</>
	);
}

interface WaitingProps {
	invitation: UnsavedInvitationView;
	/** Whether any of the invitations is being saved or discarded. */
	isBusy: boolean;
	isSaving: boolean;
	onSave: () => void;
	onDiscard: () => void;
}

function Waiting({ invitation, isBusy, isSaving, onSave, onDiscard }: WaitingProps) {
	const { t } = useTranslation("refreshInvitation");
	const now = useNow(60_000);
	const [asked, { open, close }] = useDisclosure();
	const file = invitation.fileName;
	return (
		<Group gap="xs" wrap="nowrap" align="flex-start">
			<Text flex={1} pt={4} mod="anywhere">
				{t(invitation.expired ? "waitingExpired" : "waitingFile", {
					file,
					ago: formatAgo(invitation.refreshedAt, now),
				})}
			</Text>
			<Button
				variant="filled"
				flex="none"
				aria-label={t("saveLabel", { file })}
				loading={isSaving}
				disabled={isBusy}
				onClick={onSave}
			>
				{t("save")}
			</Button>
			<Button flex="none" variant="subtle" aria-label={t("discardLabel", { file })} disabled={isBusy} onClick={open}>
				{t("discard")}
			</Button>
			<ConfirmDialog
				opened={asked}
				onClose={close}
				title={t("discardTitle", { file })}
				confirm={t("discardConfirm")}
				irreversible
				onConfirm={onDiscard}
			>
				<Text>{t("discardBody")}</Text>
			</ConfirmDialog>
		</Group>
	);
}
