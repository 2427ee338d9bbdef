import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { resolveVariables, theme } from "../src/app/theme";

/** The styles that Mantine would make of the theme at each start: its variables, and the classes of its breakpoints. */
export function themeCss(): string {
	const page = renderToStaticMarkup(
		createElement(MantineProvider, {
			theme,
			cssVariablesResolver: resolveVariables,
			deduplicateCssVariables: false,
			defaultColorScheme: "auto",
		}),
	);
	return [...page.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css).join("\n");
}
