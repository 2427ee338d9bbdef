import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Backend, StartProblemView } from "@/bridge";
import { spokenLanguage } from "@/lib/language";
import { loadAllTexts, speak } from "@/messages/i18n";
import { lastResort } from "./last-resort";
import { LookProviders } from "./providers";
import { StartProblemPage } from "./start-problem";

interface StartProblemRootProps {
	backend: Backend;
	failed: StartProblemView;
	nonce: string;
}

/** Draws the page about a start that failed, as this person wants it. */
export async function showStartProblem(root: HTMLElement, { backend, failed, nonce }: StartProblemRootProps) {
	const { problem, preferences } = failed;
	await speak(spokenLanguage(preferences.language))
		.then(loadAllTexts)
		.catch(() => {});
	createRoot(root, { onUncaughtError: lastResort(root) }).render(
		<StrictMode>
			<LookProviders backend={backend} preferences={{ preferences, setAside: null, policy: null }} nonce={nonce}>
				<StartProblemPage problem={problem} onStarted={() => window.location.reload()} />
			</LookProviders>
		</StrictMode>,
	);
}
