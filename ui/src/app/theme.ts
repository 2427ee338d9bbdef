import { type CSSVariablesResolver, createTheme, type SegmentedControlProps } from "@mantine/core";

// Without the role, the header of a dialog would be a second banner.
const dialogHeader = { header: { role: "none" } };
// In a low window, a dialog scrolls its buttons into view with the space below them.
const dialogContent = { content: { scrollPaddingBlockEnd: "var(--mantine-spacing-lg)" } };

// The four text sizes and two weights. Sizes that Mantine components request are mapped to them.
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
	// Without it, users who turned off animations still wait for their duration.
	respectReducedMotion: true,
	// The font of the desktop and few others: on Linux, each missing font delays the first text by 15 ms. Without a
	// desktop, the default of fontconfig is too wide.
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
	// The three gaps. Sizes that Mantine components request are mapped to them.
	spacing: { xs: "0.5rem", sm: "0.75rem", md: "0.75rem", lg: "1.25rem", xl: "1.25rem" },
	fontWeights: { regular: "400", medium: "600", bold: "600" },
	headings: { fontWeight: "600", sizes: { h1: title, h2: title, h3: section, h4: section, h5: body, h6: small } },
	components: {
		// Defaults of most of the window, with buttons 30 pixels high. Form fields and the main button of a page use `sm`,
		// 36 pixels high.
		Text: { defaultProps: { size: "sm" } },
		List: { defaultProps: { size: "sm" } },
		Button: { defaultProps: { variant: "default", size: "xs" }, vars: () => ({ root: { "--button-fz": bodySize } }) },
		ActionIcon: { defaultProps: { size: 30 } },
		// Names, URLs, and IDs. Fields for a sentence check the spelling.
		TextInput: { defaultProps: { spellCheck: false } },
		TagsInput: { defaultProps: { spellCheck: false } },
		Autocomplete: { defaultProps: { spellCheck: false } },
		// Selecting the selected option again must not clear the field.
		Select: { defaultProps: { allowDeselect: false } },
		NumberInput: { defaultProps: { allowDecimal: false } },
		Input: { vars: () => ({ wrapper: { "--input-fz": bodySize } }) },
		SegmentedControl: {
			vars: (_: unknown, { size }: SegmentedControlProps) => ({
				root: { "--sc-font-size": bodySize, "--sc-padding": size === "xs" ? "1px 10px" : "4px 10px" },
			}),
		},
		// At the bottom, because a tooltip above would often cover the text it explains, for example a headline.
		Tooltip: {
			defaultProps: {
				position: "bottom",
				withArrow: true,
				openDelay: 300,
				events: { hover: true, focus: true, touch: false },
			},
		},
		Modal: {
			defaultProps: { centered: true, padding: "lg", attributes: dialogHeader },
			styles: { ...dialogTitle, ...dialogContent },
		},
		Drawer: { defaultProps: { padding: "lg", attributes: dialogHeader }, styles: dialogTitle },
		// Mantine would add its focus placeholder to the menu as a child that is not a menu item.
		Menu: {
			// Inside its landmark, for screen readers; `fixed`, so that no container clips it.
			defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false, floatingStrategy: "fixed" },
			// Scrolls in a low or zoomed window.
			styles: { dropdown: { maxHeight: "calc(100dvh - 64px)", overflowY: "auto" } },
		},
	},
});

/** Colors of the button that replaces a site. */
const replacing = {
	"--mantine-color-red-filled": "var(--mantine-color-red-9)",
	"--mantine-color-red-filled-hover": "#b42323",
};

/**
 * Colors of the outcomes, backgrounds, edges, and small icons in both color schemes. CSS `light-dark()` does not
 * survive the build.
 */
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
		// Hovered quiet button, which has blue text.
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
		// Disabled button, also on a card.
		"--mantine-color-disabled": "var(--mantine-color-dark-5)",
		"--mantine-color-disabled-color": "var(--mantine-color-dark-1)",
		"--mantine-color-anchor": "var(--mantine-color-blue-4)",
		// Blue text directly on the page, for example links.
		"--mantine-color-blue-light-color": "var(--mantine-color-blue-4)",
		// Buttons and headings of collapsed sections are not brighter than titles.
		"--mantine-color-bright": "var(--mantine-color-dark-0)",
		"--mantine-color-default-color": "var(--mantine-color-dark-0)",
		"--mantine-color-dimmed": "var(--mantine-color-dark-1)",
		"--mantine-color-placeholder": "var(--mantine-color-dark-1)",
		"--mantine-color-error": "var(--mantine-color-red-4)",
		...replacing,
	},
});
