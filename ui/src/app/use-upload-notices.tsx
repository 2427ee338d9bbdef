import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useRuns } from "@/lib/runs";

/** Says that a file has been uploaded, unless its own screen shows it. Whatever else ends stays in the dock. */
export function useUploadNotices(): void {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const runs = useRuns();
	const before = useRef<readonly RunView[]>([]);
	useEffect(() => {
		for (const gone of before.current.filter((old) => !runs.some((run) => run.id === old.id))) {
			if (gone.step.kind !== "uploading") continue;
			if (place.page === "operation" && place.key === gone.operation && place.site === gone.site) continue;
			notifications.show({
				message: t("dock.uploadEnded", { operation: t(`operation.${gone.operation}.name`), site: gone.siteName }),
				closeButtonProps: { "aria-label": t("action.close") },
			});
		}
		before.current = runs;
	}, [runs, place, t]);
}
