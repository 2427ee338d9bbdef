import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DroppedFile, DroppedKind } from "@/bridge";
import { useDroppedFile } from "./dropped-file";
import type { OperationHandle } from "./runs";

/**
 * Passes a dropped file to the form of an operation, and notifies the user if the page shows something else. A report
 * is replaced by the form; a running operation stays on screen.
 */
export function useFileForForm(
	kind: DroppedKind,
	{ state, reset }: Pick<OperationHandle<unknown, unknown>, "state" | "reset">,
	onFile: (file: DroppedFile) => void,
): void {
	const { t } = useTranslation(["run", "common"]);
	const shown = useRef<string | null>(null);
	// The notification belongs to this page and would cover the buttons of the next one.
	useEffect(() => () => void (shown.current !== null && notifications.hide(shown.current)), []);
	useDroppedFile(kind, (file) => {
		const isReport = state.kind === "done" || state.kind === "unknown";
		if (isReport) reset();
		onFile(file);
		if (isReport || state.kind === "running") {
			shown.current = notifications.show({
				message: t(isReport ? "dropped.atReport" : "dropped.whileRunning", { file: file.name }),
				autoClose: false,
				closeButtonProps: { "aria-label": t("common:action.close") },
			});
		}
	});
}
