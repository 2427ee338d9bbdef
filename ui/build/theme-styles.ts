import { join } from "node:path";
import { type IndexHtmlTransformResult, type Plugin, runnerImport } from "vite";

/**
 * Puts the styles of the theme into the page, so that no start has to make them, and what the page loads behind its shell: the
 * script that shows the shell would wait for a style sheet before it.
 */
export function themeStyles(): Plugin {
	return {
		name: "theme-styles",
		transformIndexHtml: {
			order: "post",
			async handler(html): Promise<IndexHtmlTransformResult> {
				const file = join(import.meta.dirname, "theme-css.ts");
				const { module } = await runnerImport<typeof import("./theme-css")>(file, { configFile: false });
				const loaded = html.match(loads) ?? [];
				const page = html.replace(loads, "").replace("</body>", () => `${loaded.join("")}</body>`);
				return { html: page, tags: [{ tag: "style", children: module.themeCss(), injectTo: "head" }] };
			},
		},
	};
}

/** What Vite writes into the head of the built page, a line each. */
const loads =
	/[ \t]*<(?:script type="module" crossorigin[^>]*><\/script|link rel="(?:modulepreload|stylesheet)" crossorigin[^>]*)>\n/g;
