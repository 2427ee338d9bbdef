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

/** A ground that carries white letters: the darkest shade of some hues alone falls short of 4.5 to 1. */
export function siteGround(color: SiteColor): string {
	return `color-mix(in srgb, var(--mantine-color-${shades[color]}) 84%, black)`;
}

/** Along the top of a dialog that asks before this site is changed: it lies over the bar. */
export function siteEdge(color: SiteColor) {
	return { content: { borderBlockStart: `6px solid ${siteGround(color)}` } };
}

/** For dots and edges. */
export function siteAccent(color: SiteColor): string {
	return `var(--mantine-color-${color}-6)`;
}
