import { List, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CloseAnswer, type CloseRequested, type RunView, useBackend } from "@/bridge";
import { Dialog } from "@/components/dialog";
import { runText, useRunName, useRunStore, useRuns } from "@/lib/runs";
import { isCheck, onlyLooks, stopKind } from "@/lib/stop-mode";
import { useTargetName } from "@/lib/target";
import { useWindowDialog } from "@/lib/use-window-dialog";
import { operationUis } from "@/operations";

type UnfinishedWork = CloseRequested & { running: readonly RunView[] };

/** Confirmation when the user closes the window while an operation is running or data would be lost. */
export function CloseDialog() {
	const { t } = useTranslation();
	const backend = useBackend();
	const store = useRunStore();
	const nameOf = useRunName();
	const targetOf = useTargetName();
	const [unfinished, setUnfinished] = useState<UnfinishedWork | null>(null);
	useEffect(
		// The runs as they were when the dialog opened.
		() => backend.onCloseAsked((request) => setUnfinished({ ...request, running: store.runs() })),
		[backend, store],
	);
	useEffect(() => {
		// The backend closes a window that does not report a dialog.
		if (unfinished) backend.answerClose("asking").catch(() => {});
	}, [unfinished, backend]);
	const answer = (said: CloseAnswer) => {
		setUnfinished(null);
		backend.answerClose(said).catch(() => {});
	};
	const dialog = useWindowDialog(unfinished !== null, () => answer("stay"));
	const { running, unsavedInvitations: unsaved } = unfinished ?? { running: [], unsavedInvitations: 0 };
	// Runs that have ended since the dialog opened are not named: closing no longer interrupts them.
	const now = useRuns();
	const runs = running.filter(({ id }) => now.some((run) => run.id === id));
	const searches = runs.some((run) => onlyLooks(run.operation));
	const unsent = runs.filter(isUnsent).length;
	const isAnySent = runs.some((run) => !isCheck(run) && !isUnsent(run));
	const isImportUnsent = runs.some(isBeforeImport);
	const mightStayInactive = runs.some(
		({ operation, act, sent }) => operation === "import_server" && act === null && sent,
	);
	const importing = runs.filter(
		({ operation, act, step }) => operationUis[operation].losesReport && act === null && step.kind === "waiting",
	).length;
	const isLoss = runs.length > 0 || unsaved > 0;
	return (
		<Dialog
			{...dialog}
			title={runs.length > 0 ? t("close.title", { count: runs.length }) : t("close.titleEnded")}
			cancel={t("close.stay")}
			confirm={isLoss ? t("close.anyway") : t("close.now")}
			irreversible={isLoss}
			onConfirm={() => answer("close")}
		>
			{runs.length > 0 && (
				<>
					<List>
						{runs.map((run) => (
							<List.Item key={run.id}>
								{t(isUnsent(run) ? "close.unsent" : runText(run), { operation: nameOf(run), site: targetOf(run) })}
							</List.Item>
						))}
					</List>
					{isAnySent && <Text>{t("close.body")}</Text>}
					{!isAnySent && unsent > 0 && <Text>{t("close.bodyUnsent", { count: unsent })}</Text>}
					{!isAnySent && searches && <Text>{t("close.bodySearch")}</Text>}
				</>
			)}
			{isImportUnsent && <Text>{t("close.unsentImport")}</Text>}
			{mightStayInactive && <Text>{t("close.inactiveImport")}</Text>}
			{importing > 0 && <Text>{t("close.report", { count: importing })}</Text>}
			{unsaved > 0 && <Text>{t("close.unsaved", { count: unsaved })}</Text>}
			{runs.length === 0 && unsaved === 0 && <Text>{t("close.bodyEnded")}</Text>}
		</Dialog>
	);
}

/** Whether an operation has sent nothing that affects the site. Its earlier requests only read. */
function isUnsent({ sent, step, operation }: RunView): boolean {
	return !sent && stopKind(step, operation) === "preparing";
}

/** Whether a safety backup or a deactivation was sent that precedes an import, and the import itself was not. */
function isBeforeImport({ act, step, operation, sent }: RunView): boolean {
	const isImport = act === null && (operation === "import_server" || operation === "import_portal");
	const kind = step.kind === "services" ? "services" : stopKind(step, operation);
	return isImport && sent && (kind === "preparing" || kind === "securing" || kind === "services");
}
