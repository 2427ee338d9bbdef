import { useMemo } from "react";
import { usePreferences } from "./preferences";

export const zoomSteps = [80, 90, 100, 110, 125, 150, 175, 200] as const;

export function useZoom() {
	const { preferences, change } = usePreferences();
	const { zoom } = preferences;
	return useMemo(
		() => ({
			larger: () => change({ zoom: zoomSteps.find((step) => step > zoom) ?? 200 }),
			smaller: () => change({ zoom: zoomSteps.findLast((step) => step < zoom) ?? 80 }),
			usual: () => change({ zoom: 100 }),
		}),
		[zoom, change],
	);
}
