import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DroppedFile, DroppedKind } from "@/bridge";
import { useDroppedFile } from "./dropped-file";
import type { OperationHandle } from "./use-operation";

/**
 * Gives a dropped file to the form of an operation, whatever its page shows, and says where the file is: a report makes
 * room for the form, a run does not.
 */
export function useFileForForm(
	kind: DroppedKind,
	{ state, reset }: Pick<OperationHandle<unknown, unknown>, "state" | "reset">,
	onFile: (file: DroppedFile) => void,
): void {
	const { t } = useTranslation(["run", "common"]);
	const shown = useRef<string | null>(null);
	// It is about this page, and would lie over the buttons of the next one.
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
