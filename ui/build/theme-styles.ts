import { join } from "node:path";
import { type IndexHtmlTransformResult, type Plugin, runnerImport } from "vite";

/** Each style sheet of a part of Mantine begins with it. */
const layer = /@layer mantine\s*\{/g;
/** What the window says of such parts, also of those that are loaded later: it must stay in the layer itself. */
const ofWindow = "mantine-window";

/**
 * Puts the styles of the theme into the page, so that no start has to make them, and what the page loads behind its shell: the
 * script that shows the shell would wait for a style sheet before it.
 */
export function themeStyles(): Plugin[] {
	return [
		{
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
		},
		{
			// Sheets that are loaded later are appended to the head, before the one of the start: of rules for the same
			// element, those of a layer go before those of a layer within it.
			name: "start-layer",
			apply: "build",
			transform: {
				order: "pre",
				filter: { id: /\/src\/app\/window\.css$/ },
				handler: (code) => ({ code: code.replace(layer, `@layer ${ofWindow} {`), map: null }),
			},
			generateBundle(_, bundle) {
				for (const file of Object.values(bundle)) {
					if (file.type !== "asset" || !/\bindex-[^/]*\.css$/.test(file.fileName)) continue;
					const started = String(file.source).replace(layer, "@layer mantine.start{");
					file.source = started.replaceAll(`@layer ${ofWindow}{`, "@layer mantine{");
				}
			},
		},
	];
}

/** What Vite writes into the head of the built page, a line each. */
const loads =
	/[ \t]*<(?:script type="module" crossorigin[^>]*><\/script|link rel="(?:modulepreload|stylesheet)" crossorigin[^>]*)>\n/g;
