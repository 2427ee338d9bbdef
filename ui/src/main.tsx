import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/window.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { Providers } from "./app/providers";
import type { Backend } from "./bridge";
import { systemLanguage } from "./lib/language";
import { createQueryClient } from "./lib/queries";
import { speak } from "./messages/i18n";

/** The real program inside its window; a small world in memory in an ordinary browser. */
async function chooseBackend(): Promise<Backend> {
	if ("__TAURI_INTERNALS__" in window) return (await import("./bridge/tauri")).tauriBackend();
	const { memoryBackend } = await import("./bridge/memory");
	return memoryBackend({ answerMillis: 120, runMillis: 5_000 });
}

// The program gives every load its own nonce, and style elements made at run time must carry it.
const nonce = document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "";
if (nonce) setNonce(nonce);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// The first screen is already in the right language.
const [backend] = await Promise.all([chooseBackend(), speak(systemLanguage())]);
createRoot(root).render(
	<StrictMode>
		<Providers backend={backend} queries={createQueryClient()} nonce={nonce}>
			<App />
		</Providers>
	</StrictMode>,
);
