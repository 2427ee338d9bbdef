import "./freeze";
// As layers, so that CSS modules take precedence regardless of the order in the build. Components import their own
// styles.
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

/** Returns the real backend in the app, and the fake backend in an ordinary browser. */
async function chooseBackend(): Promise<Backend> {
	if ("__TAURI_INTERNALS__" in window) return tauriBackend();
	// In the build, this throws, and the fake backend below is removed as unreachable.
	if (import.meta.env.PROD) throw new Error("This page works inside Site Steward alone");
	const { fakeBackend } = await import("./bridge/fake-backend");
	return fakeBackend({ answerMillis: 120, runMillis: 5_000 });
}

// Each load has its own nonce, which style elements created at run time must have.
const nonce = document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "";
if (nonce) setNonce(nonce);

// Native scroll bars of WebKit for GTK cover the elements above them; see window.css.
if (navigator.userAgent.includes("Linux")) document.documentElement.dataset.platform = "linux";

/**
 * Renders the first page once, with preferences and sites.
 *
 * If the preferences cannot be read, defaults are used. No top-level await: chunks that are loaded later import this
 * file and would wait forever.
 */
async function draw() {
	const root = document.getElementById("root");
	if (!root) throw new Error("index.html has no #root");
	const backend = heldBack(await chooseBackend(), started);
	// The rest must start even if the first page cannot be rendered.
	setTimeout(markStarted, 5_000);
	const queries = createQueryClient();
	const given = takeGiven();
	// Without start data, the app might have failed to start.
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
