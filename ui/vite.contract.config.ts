// The situations of the contract as one script, for the journey that plays them in the real window. It is not part of
// the app. Below `target`: the front end is built anew when a file of `ui` is newer.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
	clearScreen: false,
	// Vite does not replace this variable in a library, and the window does not have it: React would not start.
	define: { "process.env.NODE_ENV": JSON.stringify("production") },
	build: {
		target: "es2022",
		outDir: fileURLToPath(new URL("../target/contract", import.meta.url)),
		emptyOutDir: true,
		copyPublicDir: false,
		minify: false,
		lib: {
			entry: fileURLToPath(new URL("./src/bridge/contract/in-window.ts", import.meta.url)),
			formats: ["iife"],
			name: "contract",
			fileName: () => "contract.js",
		},
	},
});
