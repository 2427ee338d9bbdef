import { useMediaQuery } from "@mantine/hooks";

/** Whether the window is too narrow for the sidebar beside a page. `top-bar.module.css` uses the same width. */
export function useNarrow(): boolean {
	return useMediaQuery("(max-width: 700px)", false, { getInitialValueInEffect: false });
}
