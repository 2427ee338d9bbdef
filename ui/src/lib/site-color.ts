import type { SiteColor } from "@/bridge";

const shades: Record<SiteColor, string> = {
	blue: "blue-9",
	teal: "teal-9",
	green: "green-9",
	orange: "orange-9",
	red: "red-9",
	grape: "grape-9",
	gray: "gray-7",
};

export const siteColors = Object.keys(shades) as SiteColor[];

/**
 * Returns a background for white text. Darkened, because some hues have a contrast below 4.5:1 in their darkest shade.
 */
export function siteGround(color: SiteColor): string {
	return `color-mix(in srgb, var(--mantine-color-${shades[color]}) 84%, black)`;
}

/** Styles of a dialog that changes a site: an edge in its color, because the dialog covers the colored bar. */
export function siteEdge(color: SiteColor) {
	return { content: { borderBlockStart: `6px solid ${siteGround(color)}` } };
}

/** Returns the color of dots and edges. */
export function siteAccent(color: SiteColor): string {
	return `var(--mantine-color-${color}-6)`;
}
