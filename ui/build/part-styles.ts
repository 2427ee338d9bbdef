import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const styles = join(import.meta.dirname, "../node_modules/@mantine/core/styles");

/** Of Mantine's modules, those that name the classes of a part. */
export const classNames = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/** The style sheet of the part whose class names are in this module. */
export function styleOf(module: string): string {
	const name = classNames.exec(module)?.[1];
	// In a layer: a module's own style goes before it, in whatever order the build writes the files.
	const sheet = `${name}.layer.css`;
	if (!name || !existsSync(join(styles, sheet))) throw new Error(`${module} has no style sheet`);
	return `@mantine/core/styles/${sheet}`;
}

/** Every part of Mantine brings its own style along, so that a start reads the styles of the parts that it may show. */
export function partStyles(): Plugin[] {
	return [
		{
			name: "part-styles",
			apply: "build",
			transform: {
				filter: { id: classNames },
				handler: (code, id) => ({ code: `import "${styleOf(id)}";\n${code}`, map: null }),
			},
		},
		{
			name: "all-styles",
			// The development server bundles Mantine beforehand, without the plugins.
			apply: "serve",
			transformIndexHtml: () => [
				{ tag: "link", attrs: { rel: "stylesheet", href: "/node_modules/@mantine/core/styles.layer.css" } },
			],
		},
	];
}
