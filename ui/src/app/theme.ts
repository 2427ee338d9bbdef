import { type CSSVariablesResolver, createTheme, type SegmentedControlProps } from "@mantine/core";

// A dialog's header would count as a second banner of the window.
const dialogHeader = { header: { role: "none" } };
// In a low window it scrolls: its buttons come into view with the room below them.
const dialogContent = { content: { scrollPaddingBlockEnd: "var(--mantine-spacing-lg)" } };

// The four sizes of all text, and the two weights. Parts of Mantine ask for others by themselves, which are among these.
const small = { fontSize: "0.75rem", lineHeight: "1.5" };
const body = { fontSize: "0.8125rem", lineHeight: "1.5385" };
const section = { fontSize: "1rem", lineHeight: "1.375" };
const title = { fontSize: "1.25rem", lineHeight: "1.4" };
const dialogTitle = {
	title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)", lineHeight: section.lineHeight },
};
const bodySize = "var(--mantine-font-size-sm)";

export const theme = createTheme({
	primaryColor: "blue",
	primaryShade: { light: 8, dark: 8 },
	defaultRadius: "sm",
	cursorType: "pointer",
	// Without it, a part that moves nowhere still stays for as long as the movement would take.
	respectReducedMotion: true,
	// What the desktop writes with, and few names beside it: on Linux each font that is not there is looked for in all
	// that are, 15 ms long, before the first letter is drawn. Without a desktop, fontconfig's own choice is a wide one.
	fontFamily: 'system-ui, "Liberation Sans", sans-serif',
	fontFamilyMonospace: 'ui-monospace, "Liberation Mono", monospace',
	fontSizes: { xs: small.fontSize, sm: body.fontSize, md: body.fontSize, lg: section.fontSize, xl: section.fontSize },
	lineHeights: {
		xs: small.lineHeight,
		sm: body.lineHeight,
		md: body.lineHeight,
		lg: section.lineHeight,
		xl: section.lineHeight,
	},
	// The three gaps. Parts of Mantine ask for others by themselves, which are among these.
	spacing: { xs: "0.5rem", sm: "0.75rem", md: "0.75rem", lg: "1.25rem", xl: "1.25rem" },
	fontWeights: { regular: "400", medium: "600", bold: "600" },
	headings: { fontWeight: "600", sizes: { h1: title, h2: title, h3: section, h4: section, h5: body, h6: small } },
	components: {
		// What most of the window is written in, and its buttons: 30 pixels high. The fields of a form and the one button that
		// it is about, 36 pixels high, say `sm`.
		Text: { defaultProps: { size: "sm" } },
		List: { defaultProps: { size: "sm" } },
		Button: { defaultProps: { variant: "default", size: "xs" }, vars: () => ({ root: { "--button-fz": bodySize } }) },
		ActionIcon: { defaultProps: { size: 30 } },
		Input: { vars: () => ({ wrapper: { "--input-fz": bodySize } }) },
		SegmentedControl: {
			vars: (_: unknown, { size }: SegmentedControlProps) => ({
				root: { "--sc-font-size": bodySize, "--sc-padding": size === "xs" ? "1px 10px" : "4px 10px" },
			}),
		},
		Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
		Modal: {
			defaultProps: { centered: true, padding: "lg", attributes: dialogHeader },
			styles: { ...dialogTitle, ...dialogContent },
		},
		Drawer: { defaultProps: { padding: "lg", attributes: dialogHeader }, styles: dialogTitle },
		// The placeholder would stand in the menu as a child that is no item.
		Menu: {
			// Within its landmark, where a screen reader finds it; `fixed`, so that nothing around it cuts it off.
			defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false, floatingStrategy: "fixed" },
			// In a low window, or at a large zoom, what does not fit is reached by scrolling.
			styles: { dropdown: { maxHeight: "calc(100dvh - 64px)", overflowY: "auto" } },
		},
	},
});

/** Of the button that replaces a site. */
const replacing = {
	"--mantine-color-red-filled": "var(--mantine-color-red-9)",
	"--mantine-color-red-filled-hover": "#b42323",
};

/** The five outcomes, readable on both grounds, and grounds; the edge of what is selected, typed into or pressed, and small signs. `light-dark()` of CSS does not survive the build. */
export const resolveVariables: CSSVariablesResolver = () => ({
	variables: {},
	light: {
		"--tone-succeeded": "var(--mantine-color-green-9)",
		"--tone-warnings": "var(--mantine-color-orange-9)",
		"--tone-failed": "var(--mantine-color-red-9)",
		"--tone-unknown": "var(--mantine-color-violet-8)",
		"--tone-notSent": "var(--mantine-color-gray-7)",
		"--scroll-bar": "var(--mantine-color-gray-5)",
		"--scroll-bar-held": "var(--mantine-color-gray-6)",
		"--quiet-ground": "var(--mantine-color-gray-0)",
		"--card-ground": "var(--mantine-color-white)",
		"--head-ground": "var(--mantine-color-gray-0)",
		"--chosen-ground": "var(--mantine-color-blue-1)",
		// Of a quiet button under the mouse, whose words are blue.
		"--mantine-color-blue-light-hover": "var(--chosen-ground)",
		"--no-site-ground": "var(--mantine-color-gray-8)",
		"--edge": "var(--mantine-color-gray-6)",
		"--rim": "#c4cbd2",
		"--combobox-chevron-color": "var(--mantine-color-gray-7)",
		"--accent": "var(--mantine-primary-color-filled)",
		"--mantine-color-disabled": "var(--mantine-color-gray-1)",
		"--mantine-color-disabled-color": "var(--mantine-color-gray-7)",
		"--mantine-color-anchor": "var(--mantine-color-blue-9)",
		"--mantine-color-default-border": "var(--mantine-color-gray-3)",
		"--mantine-color-dimmed": "var(--mantine-color-gray-7)",
		"--mantine-color-placeholder": "var(--mantine-color-gray-7)",
		"--mantine-color-error": "var(--mantine-color-red-9)",
		...replacing,
	},
	dark: {
		"--tone-succeeded": "var(--mantine-color-green-5)",
		"--tone-warnings": "var(--mantine-color-yellow-5)",
		"--tone-failed": "var(--mantine-color-red-5)",
		"--tone-unknown": "var(--mantine-color-violet-4)",
		"--tone-notSent": "var(--mantine-color-dark-1)",
		"--scroll-bar": "var(--mantine-color-dark-2)",
		"--scroll-bar-held": "var(--mantine-color-dark-1)",
		"--quiet-ground": "var(--mantine-color-dark-8)",
		"--card-ground": "var(--mantine-color-dark-6)",
		"--head-ground": "var(--mantine-color-dark-7)",
		"--chosen-ground": "#1c3a55",
		"--mantine-color-blue-light-hover": "var(--chosen-ground)",
		"--no-site-ground": "var(--mantine-color-dark-9)",
		"--edge": "var(--mantine-color-dark-2)",
		"--rim": "#4d4d4d",
		"--combobox-chevron-color": "var(--mantine-color-dark-1)",
		"--accent": "var(--mantine-color-blue-4)",
		// Of a button on a card, too.
		"--mantine-color-disabled": "var(--mantine-color-dark-5)",
		"--mantine-color-disabled-color": "var(--mantine-color-dark-1)",
		"--mantine-color-anchor": "var(--mantine-color-blue-4)",
		// What is written on nothing but the page, as a link is.
		"--mantine-color-blue-light-color": "var(--mantine-color-blue-4)",
		// A button or the head of a folded part is not brighter than the titles.
		"--mantine-color-bright": "var(--mantine-color-dark-0)",
		"--mantine-color-default-color": "var(--mantine-color-dark-0)",
		"--mantine-color-dimmed": "var(--mantine-color-dark-1)",
		"--mantine-color-placeholder": "var(--mantine-color-dark-1)",
		"--mantine-color-error": "var(--mantine-color-red-4)",
		...replacing,
	},
});
