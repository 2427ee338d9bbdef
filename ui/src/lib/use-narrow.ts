import { useMediaQuery } from "@mantine/hooks";

/** Whether the window has no room for a page and the sidebar beside it. `top-bar.module.css` counts the same. */
export function useNarrow(): boolean {
	return useMediaQuery("(max-width: 700px)", false, { getInitialValueInEffect: false });
}
