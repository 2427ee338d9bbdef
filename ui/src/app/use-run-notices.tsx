import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "@/bridge";
import { useNavigation } from "@/lib/navigation";
import { useRuns } from "@/lib/runs";

/** Says that a run has ended, unless its own screen already shows it. */
export function useRunNotices(): void {
	const { t } = useTranslation();
	const { place } = useNavigation();
	const runs = useRuns();
	const before = useRef<readonly RunView[]>([]);
	useEffect(() => {
		for (const gone of before.current.filter((old) => !runs.some((run) => run.id === old.id))) {
			if (place.page === "operation" && place.key === gone.operation && place.site === gone.site) continue;
			const operation = t(`operation.${gone.operation}.name`);
			notifications.show({
				message: t(gone.step.kind === "uploading" ? "dock.uploadEnded" : "dock.ended", {
					operation,
					site: gone.siteName,
				}),
				closeButtonProps: { "aria-label": t("action.close") },
			});
		}
		before.current = runs;
	}, [runs, place, t]);
}
