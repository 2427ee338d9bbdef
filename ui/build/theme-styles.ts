import { join } from "node:path";
import { type Plugin, runnerImport } from "vite";

const name = "virtual:theme.css";

/** Makes `virtual:theme.css` of the theme, so that no start has to. */
export function themeStyles(): Plugin {
	return {
		name: "theme-styles",
		resolveId: (id) => (id === name ? join(import.meta.dirname, "theme.css") : null),
		load: {
			filter: { id: /\/build\/theme\.css$/ },
			async handler() {
				const file = join(import.meta.dirname, "theme-css.ts");
				const { module } = await runnerImport<typeof import("./theme-css")>(file, { configFile: false });
				return module.themeCss();
			},
		},
	};
}
