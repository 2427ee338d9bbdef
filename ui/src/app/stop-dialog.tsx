import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RunView, useBackend } from "@/bridge";
import { ProblemNotice } from "@/components/problem-notice";
import { useHistoryName } from "@/lib/history-words";

export function StopDialog({ run, onClose }: { run: RunView | null; onClose: () => void }) {
	const { t } = useTranslation();
	const backend = useBackend();
	const stop = useMutation({
		mutationFn: async () => {
			if (run) await backend.stopRun(run.id);
		},
		onSuccess: onClose,
	});
	// An upload ends with it; whatever else runs goes on without us.
	const uploading = run?.step.kind === "uploading";
	const bodies = { uploading: "dock.stopUpload", several: "dock.stopSeveral" } as const;
	const kind = run?.step.kind;
	const body = kind === "uploading" || kind === "several" ? bodies[kind] : "dock.stopBody";
	const nameOf = useHistoryName();
	const operation = run ? nameOf(run.act ?? run.operation) : "";
	return (
		<Modal
			opened={run !== null}
			onClose={onClose}
			title={t(uploading ? "dock.stopUploadTitle" : "dock.stopTitle", { operation })}
			closeButtonProps={{ "aria-label": t("action.close") }}
		>
			<Stack>
				<Text size="sm">{t(body, { site: run?.siteName ?? "" })}</Text>
				{stop.error ? <ProblemNotice problem={stop.error} /> : null}
				<Group justify="flex-end" gap="xs">
					<Button variant="default" onClick={onClose} data-autofocus>
						{t(uploading ? "dock.stopUploadKeep" : "dock.stopKeep")}
					</Button>
					<Button color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
						{t(uploading ? "dock.stopUploadConfirm" : "dock.stopConfirm")}
					</Button>
				</Group>
			</Stack>
		</Modal>
	);
}
