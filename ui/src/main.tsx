import "./freeze";
// In a layer: a module's own style goes before them, in whatever order the build writes the files. The parts bring theirs.
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "./app/window.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { lastResort } from "./app/last-resort";
import { Root } from "./app/root";
import type { Backend } from "./bridge";
import { takeGiven } from "./bridge/given";
import { heldBack } from "./bridge/held-back";
import { tauriBackend } from "./bridge/tauri";
import { spokenLanguage } from "./lib/language";
import { usualPreferences } from "./lib/preferences";
import { createQueryClient } from "./lib/queries/client";
import { setSites, sitesOf } from "./lib/queries/program";
import { markStarted, started } from "./lib/started";
import { speak } from "./messages/i18n";

/** The real program inside its window; a small world in memory in an ordinary browser. */
async function chooseBackend(): Promise<Backend> {
	if ("__TAURI_INTERNALS__" in window) return tauriBackend();
	// Left out of the program: there is a real one around the window.
	if (import.meta.env.PROD) throw new Error("This page works inside Site Steward alone");
	const { fakeBackend } = await import("./bridge/fake-backend");
	return fakeBackend({ answerMillis: 120, runMillis: 5_000 });
}

// The program gives every load its own nonce, and style elements made at run time must carry it.
const nonce = document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "";
if (nonce) setNonce(nonce);

// WebKit for GTK draws its own scroll bars over whatever lies above what they scroll; see window.css.
if (navigator.userAgent.includes("Linux")) document.documentElement.dataset.platform = "linux";

/**
 * Draws the first screen as this person wants it, once, with the sites it shows. A program that cannot say so still has
 * a window. No top-level await: whatever is fetched later imports this file, and would wait for it for ever.
 */
async function draw() {
	const root = document.getElementById("root");
	if (!root) throw new Error("index.html has no #root");
	const backend = heldBack(await chooseBackend(), started);
	// A first screen that cannot be drawn must not keep the rest waiting.
	setTimeout(markStarted, 5_000);
	const queries = createQueryClient();
	const given = takeGiven();
	// A program that gave nothing might not have started.
	const failed = given ? null : await backend.startProblem().catch(() => null);
	if (failed) {
		const { showStartProblem } = await import("./app/start-problem-root");
		return showStartProblem(root, { backend, failed, nonce, onStarted: () => void draw() });
	}
	if (given) setSites(queries, given.sites, given.at);
	const [preferences] = await Promise.all([
		given?.preferences ??
			backend.preferences().catch(() => ({ preferences: usualPreferences, setAside: [], policy: null })),
		given ? null : queries.prefetchQuery(sitesOf(backend)),
	]);
	await speak(spokenLanguage(preferences.preferences.language)).catch(() => {});
	createRoot(root, { onUncaughtError: lastResort(root, backend) }).render(
		<StrictMode>
			<Root backend={backend} queries={queries} preferences={preferences} nonce={nonce} />
		</StrictMode>,
	);
}

void draw();
