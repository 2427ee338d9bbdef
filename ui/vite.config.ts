/// <reference types="vitest/config" />
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { partStyles } from "./build/part-styles.ts";
import { themeStyles } from "./build/theme-styles.ts";

export default defineConfig({
	plugins: [react(), partStyles(), themeStyles()],
	resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
	clearScreen: false,
	// The reason is in `src/test/elements.ts`.
	...(process.env.VITEST && { oxc: { jsx: { development: false } } }),
	server: { host: "127.0.0.1", port: 5173, strictPort: true },
	build: {
		target: "es2022",
		outDir: "dist",
		emptyOutDir: true,
		sourcemap: false,
		chunkSizeWarningLimit: 900,
		// What the first screen needs is in two files: compressed as a whole, it is a tenth smaller than in seventy.
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						{ name: "texts", test: /\/messages\/en\//, tags: ["$initial"] },
						{ name: "start", tags: ["$initial"] },
					],
				},
			},
		},
	},
	test: {
		environment: "happy-dom",
		globals: true,
		setupFiles: ["src/test/elements.ts", "src/test/setup.ts"],
		restoreMocks: true,
		unstubGlobals: true,
		testTimeout: 30_000,
		// Style sheets are not applied in happy-dom; parsing them only costs time.
		css: false,
		// What a file imports stays loaded for the next one: loading it again takes longer than most files. `src/test/setup.ts`
		// removes what a test leaves behind.
		isolate: false,
		pool: "forks",
		// Most of what a test creates is thrown away: with a larger young generation, it is collected less often. Threads
		// take no such option.
		execArgv: ["--max-semi-space-size=64"],
		// One fewer is the default: one of two processors would rest.
		maxWorkers: availableParallelism(),
	},
});
